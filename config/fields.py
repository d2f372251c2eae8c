"""What groups of settings are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def drop_blanks(values: Any) -> Any:
    """Blanks around a value come from copying; a value of blanks only counts as unset."""
    if not isinstance(values, dict):
        return values
    stripped = {name: value.strip() if isinstance(value, str) else value for name, value in values.items()}
    return {name: value for name, value in stripped.items() if value != ""}


def _full_path(path: Path) -> Path:
    """`~` is a folder of that name unless somebody resolves it; no shell reads `.env`."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise ValueError("there is no such home folder") from None


def _web_address(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise ValueError("a web address begins with http:// or https://")
    return url


def _web_folder(url: str) -> str:
    return _web_address(url).rstrip("/") + "/"


FullPath = Annotated[Path, AfterValidator(_full_path)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
WebFolder = Annotated[str, AfterValidator(_web_folder)]


class Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    _strip = model_validator(mode="before")(drop_blanks)
