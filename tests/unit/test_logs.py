"""No token and nobody's words are in a log, whoever writes it, at whatever level (chat.md 6 and 3: 14)."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from bot.logs import HIDDEN, LOUD, set_up_logs
from config import Settings

TOKEN, WORDS = "4711:telegram-token-of-a-test", "quokkamarker"


@pytest.fixture
def _logs() -> Iterator[None]:
    """Handlers and levels of the test run come back afterwards."""
    loggers = [logging.root, *(logging.getLogger(name) for name in (*LOUD, "bot"))]
    handlers, levels = logging.root.handlers[:], [logger.level for logger in loggers]
    yield
    logging.root.handlers[:] = handlers
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@pytest.mark.usefixtures("_logs")
def test_the_canary_is_in_no_log(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs(Settings.model_validate({"telegram": {"token": TOKEN}, "log": {"level": "debug"}}))
    logging.getLogger("bot.telegram").info("asked %s for %d updates", f"https://example/bot{TOKEN}/x", 7)
    logging.getLogger("bot.telegram").info("xoxb-12-abc and 81234:AAbb_cc-dd0011")
    for name in (*LOUD, "somebody"):
        logging.getLogger(name).debug("sends %s", WORDS)
        logging.getLogger(name).info("sends %s", WORDS)
        logging.getLogger(name).warning("sends %s to %s", WORDS, TOKEN)
    try:
        raise ValueError(f"row contains {WORDS} and {TOKEN}")
    except ValueError:
        logging.getLogger("bot.worker").exception("a question failed")
        logging.getLogger("procrastinate").exception("Job %s failed", WORDS)
    said = capsys.readouterr().err
    assert WORDS not in said
    assert TOKEN.partition(":")[2] not in said
    assert "xoxb-12" not in said
    assert "AAbb" not in said
    assert said.count(HIDDEN) == 3
    assert "for 7 updates" in said
    assert said.count("ValueError") == 2
    assert said.count("sends %s") == len(LOUD) + 1
