"""Dockerfile, compose.yaml and the unit of the README: what they name exists. Nothing is built here."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from dockerfile_parse import DockerfileParser

from bot.cli.entry import app
from bot.jobs import ENDING
from config.settings import setting_names

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {setting.name for setting in setting_names()}
COMMANDS = {
    command.name or command.callback.__name__ for command in app.registered_commands if command.callback
}
UNIT = re.search(r"^```ini\n(.+?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def steps() -> list[dict[str, Any]]:
    """Instructions of the Dockerfile, in order."""
    return [
        step
        for step in DockerfileParser(str(ROOT / "Dockerfile"), cache_content=True).structure
        if step["instruction"] != "COMMENT"
    ]


def values(steps: list[dict[str, Any]], instruction: str) -> list[str]:
    return [step["value"] for step in steps if step["instruction"] == instruction]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


@pytest.fixture(scope="module")
def copied(steps: list[dict[str, Any]]) -> set[str]:
    return {word for value in values(steps, "COPY") for word in value.split()[:-1]}


def test_the_image_holds_what_is_shipped(steps: list[dict[str, Any]], copied: set[str]) -> None:
    assert all((ROOT / name).exists() for name in copied)
    assert copied >= {
        "bot",
        "reasoning",
        "storage",
        "migrations",
        "config",
        "pyproject.toml",
        "constraints.txt",
    }
    assert "/cpu" in values(steps, "ARG")[0]
    torch, own = (value for value in values(steps, "RUN") if "pip install" in value)
    assert torch.endswith(" torch")
    assert own.endswith(" .")
    assert re.search(r"^torch==[\d.]+$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)


def test_the_daemon_is_sent_what_is_copied_and_nothing_else(copied: set[str]) -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == copied


def test_the_image_runs_without_root(steps: list[dict[str, Any]]) -> None:
    assert values(steps, "USER") == ["carecite"]
    assert values(steps, "VOLUME") == ["/data"]
    order = [step["instruction"] for step in steps]
    assert order.index("USER") < order.index("ENTRYPOINT")
    assert json.loads(values(steps, "ENTRYPOINT")[0]) == ["carecite"]
    assert json.loads(values(steps, "CMD")[0])[0] in COMMANDS


def test_the_image_is_asked_for_its_health(steps: list[dict[str, Any]]) -> None:
    set_ = dict(pair.split("=", 1) for value in values(steps, "ENV") for pair in value.split())
    assert {name for name in set_ if name.startswith("CARECITE_")} <= SETTINGS
    check = values(steps, "HEALTHCHECK")[0]
    assert f"http://127.0.0.1:{set_['CARECITE_HEALTH_PORT']}/healthz" in check
    code = json.loads(check[check.index("CMD") + 3 :])[2]
    compile(code, "HEALTHCHECK", "exec")


def test_compose_names_what_exists(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(services) == {"postgres", "serve", "worker"}
    assert re.fullmatch(r"pgvector/pgvector:[\d.]+-pg18", services["postgres"]["image"])
    for name in ("serve", "worker"):
        service = services[name]
        assert service["command"][0] in COMMANDS
        assert set(service["environment"]) <= SETTINGS
        assert set(service["depends_on"]) <= set(services)
        assert (ROOT / service["build"] / "Dockerfile").exists()
        assert int(service["stop_grace_period"].removesuffix("s")) > ENDING
        assert service["volumes"] == ["home:/data"]
    assert "container_name" not in services["worker"]
    assert "ports" not in services["worker"]
    used = {volume.partition(":")[0] for service in services.values() for volume in service["volumes"]}
    assert used == set(compose["volumes"])


def test_the_unit_of_the_readme() -> None:
    assert UNIT
    unit = configparser.ConfigParser(strict=True, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(UNIT[1])
    service = unit["Service"]
    assert service["ExecStart"].rpartition("carecite ")[2] in COMMANDS
    assert service["Environment"].partition("=")[0] in SETTINGS
    assert int(service["TimeoutStopSec"]) > ENDING
    assert service["RestartPreventExitStatus"] == "2"


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not on this machine")
    assert UNIT
    unit = tmp_path / "carecite.service"
    unit.write_text(UNIT[1].replace("/opt/carecite/.venv/bin/carecite", "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    assert "carecite.service" not in done.stderr, done.stderr
