"""Is everything there that carecite was told to use? A line a check and, where it fails, a remedy."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.health.findings import Finding
from bot.health.model import check_model
from bot.health.services import check_pubmed, check_slack, check_telegram
from bot.health.stores import check_database, check_encoder, check_standing
from config import Settings, bare_names

__all__ = ["Finding", "check_health"]

Check = Callable[[Settings], Awaitable[Finding]]


async def check_health(settings: Settings) -> list[Finding]:
    """All checks, side by side; one that breaks is a finding itself."""
    checks: dict[str, Check] = {
        "database": check_database,
        "standing": check_standing,
        "encoder": check_encoder,
        "model": check_model,
        "pubmed": check_pubmed,
        "slack": check_slack,
        "telegram": check_telegram,
    }
    results = await asyncio.gather(*(check(settings) for check in checks.values()), return_exceptions=True)
    findings = [
        result if isinstance(result, Finding) else _broken(name, result)
        for name, result in zip(checks, results, strict=True)
    ]
    return findings + [
        Finding(
            name,
            None,
            "is set, but carecite reads only names that begin with CARECITE_",
            f"Set CARECITE_… instead of {name}.",
        )
        for name in bare_names()
    ]


def _broken(name: str, error: BaseException) -> Finding:
    if not isinstance(error, Exception):
        raise error
    words = f"the check itself failed ({type(error).__name__})"
    return Finding(name, False, words, "Report this, please, with the versions of your packages.")
