"""Case F17: no network, no writable home. Each check is a process of its own, as a fresh start is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

GUARD = """
import json, socket, sys
tried = []
def refuse(*args, **kwargs):
    tried.append(repr(args))
    raise OSError("no network")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refuse
from pathlib import Path
from reasoning.encoders import EncoderError, load_cross_scorer, load_encoder
light = not {"torch", "sentence_transformers", "transformers"} & set(sys.modules)
"""


def clean_environment(home: Path) -> dict[str, str]:
    foreign = ("HF_", "TRANSFORMERS_", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return {**kept, "HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


def run(body: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", GUARD + body],
        env=clean_environment(home),
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir(mode=0o500)
    return tmp_path / "home"


def test_loading_and_embedding_ask_nobody_write_nothing_and_print_nothing(
    home: Path, models_dir: Path
) -> None:
    done = run(
        f"""
folder = Path({str(models_dir)!r})
shapes = [list(load_encoder("minilm").encode_sentences(["One sentence."]).shape)]
medcpt = load_encoder("medcpt", models_dir=folder)
shapes.append(list(medcpt.encode_passages([("aspirin", "fever")]).shape))
load_cross_scorer(models_dir=folder).score("fever", [("", "blood")])
print(json.dumps([light, shapes, tried]))
""",
        home,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True, [[1, 384], [1, 768]], []]
    assert done.stderr == ""
    assert [str(p) for p in home.rglob("*")] == []


def test_an_empty_models_folder_is_one_message_before_any_model_library_is_loaded(
    home: Path, tmp_path: Path
) -> None:
    done = run(
        f"""
messages = []
for name in ("medcpt", "our-model"):
    try:
        load_encoder(name, models_dir=Path({str(tmp_path)!r}))
    except EncoderError as error:
        messages.append([type(error).__name__, str(error), error.remedy])
print(json.dumps([messages, "torch" in sys.modules, tried]))
""",
        home,
    )
    assert done.returncode == 0, done.stderr
    messages, torch_loaded, tried = json.loads(done.stdout)
    assert [message[0] for message in messages] == ["ModelMissing"] * 2
    assert str(tmp_path / "MedCPT-Query-Encoder") in messages[0][1]
    assert "\n" not in messages[0][1]
    assert str(tmp_path / "our-model") in messages[1][1]
    assert not torch_loaded
    assert tried == []
