"""Fetching MedCPT where the settings allow it, from a model hub on loopback."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from reasoning.encoders import load_encoder

ROOT = Path(__file__).parents[3]
TOWERS = ("MedCPT-Query-Encoder", "MedCPT-Article-Encoder")
SHA = "0123456789abcdef0123456789abcdef01234567"


class Hub(BaseHTTPRequestHandler):
    """As much of a hub as a download needs; it also lists the weights in the old format."""

    def __init__(self, root: Path, *args: Any) -> None:
        self.root = root
        super().__init__(*args)

    def do_GET(self) -> None:
        match urlsplit(self.path).path.split("/")[1:]:
            case ["api", "models", "ncbi", name, "tree", _] if (self.root / name).is_dir():
                sizes = {file.name: file.stat().st_size for file in (self.root / name).iterdir()}
                sizes["pytorch_model.bin"] = 1
                listing = [
                    {"type": "file", "path": path, "oid": SHA, "size": size} for path, size in sizes.items()
                ]
                self.answer(200, json.dumps(listing).encode())
            case ["api", "models", "ncbi", name, "revision", _] if (self.root / name).is_dir():
                siblings = [{"rfilename": file.name} for file in (self.root / name).iterdir()]
                self.answer(
                    200, json.dumps({"id": f"ncbi/{name}", "sha": SHA, "siblings": siblings}).encode()
                )
            case ["ncbi", name, "resolve", _, file] if (self.root / name / file).is_file():
                self.answer(200, (self.root / name / file).read_bytes())
            case _:
                self.answer(404, b"{}")

    do_HEAD = do_GET

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{hashlib.sha1(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", SHA)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def hub(tmp_path: Path, models_dir: Path) -> Iterator[str]:
    """Has the query tower; the article tower comes when `offered` is filled."""
    offered = tmp_path / "offered"
    offered.mkdir()
    (offered / TOWERS[0]).symlink_to(models_dir / TOWERS[0])
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Hub, offered))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_download_goes_into_the_models_folder_and_is_asked_for_only_once(
    hub: str, models_dir: Path, tmp_path: Path
) -> None:
    folder, home = tmp_path / "models", tmp_path / "home"
    home.mkdir()
    script = f"""
from pathlib import Path
from reasoning.encoders import EncoderError, load_encoder
try:
    load_encoder("medcpt", models_dir=Path({str(folder)!r}), allow_download=True)
except EncoderError as error:
    print(type(error).__name__, error)
(Path({str(tmp_path)!r}) / "offered" / {TOWERS[1]!r}).symlink_to({str(models_dir / TOWERS[1])!r})
print(load_encoder("medcpt", models_dir=Path({str(folder)!r}), allow_download=True).manifest.revision)
"""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HF_", "TRANSFORMERS_", "XDG_"))
    }
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**kept, "HOME": str(home), "HF_ENDPOINT": hub, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    refused, revision = done.stdout.splitlines()
    assert refused.startswith(
        f"ModelMissing The model is not in its folder. {folder / TOWERS[1]}: ncbi/{TOWERS[1]}"
    )
    assert revision == load_encoder("medcpt", models_dir=folder).manifest.revision
    for name in TOWERS:
        files = {path.name for path in (folder / name).iterdir()}
        assert files >= {"config.json", "model.safetensors", "vocab.txt"}
        assert "pytorch_model.bin" not in files
    assert list(home.rglob("*")) == []
