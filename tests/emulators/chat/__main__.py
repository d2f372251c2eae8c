"""Both emulators as one program, until it is stopped.

python -m tests.emulators.chat --slack-port 0 --telegram-port 0

One line of JSON on stdout says where they are, lines on stderr the same as settings of carecite.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

from tests.emulators.slack.deliveries import Redelivery
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.tiers import Windows
from tests.emulators.telegram.server import TelegramServer


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.emulators.chat", description=__doc__.splitlines()[0])
    parser.add_argument("--slack-port", type=int, default=0)
    parser.add_argument("--telegram-port", type=int, default=0)
    parser.add_argument(
        "--pace", type=float, default=1.0, help="all windows of rate limits times this; 0: none"
    )
    parser.add_argument("--tiers", action="store_true", help="Slack's limits a minute and method, too")
    parser.add_argument("--copies", type=int, default=1, help="deliver everything so often")
    parser.add_argument(
        "--ack-within", type=float, default=3.0, help="seconds until Slack sends an event again"
    )
    parser.add_argument(
        "--waits",
        type=float,
        nargs="*",
        default=[0.5, 60.0, 300.0],
        help="seconds before its further attempts",
    )
    parser.add_argument("--no-echo", action="store_true", help="Slack does not send the bot's own posts")
    parser.add_argument("--with-stdin", action="store_true", help="end when stdin ends")
    return parser.parse_args(words)


async def serve(options: argparse.Namespace) -> None:
    slack = SlackServer(
        options.slack_port,
        windows=Windows(post=options.pace, tier=60.0 * options.pace * options.tiers),
        redelivery=Redelivery(options.ack_within, tuple(options.waits), options.copies),
        echo=not options.no_echo,
    )
    telegram = TelegramServer(options.telegram_port, pace=options.pace)
    telegram.updates.copies = options.copies
    async with slack, telegram:
        told = {
            "slack": {
                "address": slack.address,
                "base_url": slack.base_url,
                "bot_token": slack.bot_token,
                "app_token": slack.app_token,
                "signing_secret": slack.signing_secret,
            },
            "telegram": {
                "address": telegram.address,
                "base_url": telegram.base_url,
                "base_file_url": telegram.base_file_url,
                "token": telegram.token,
            },
        }
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
        sys.stderr.write("".join(f"{name}={value}\n" for name, value in settings_of(told).items()))
        if options.with_stdin:
            await asyncio.to_thread(sys.stdin.read)
        else:
            await asyncio.Event().wait()


def settings_of(told: dict[str, dict[str, str]]) -> dict[str, str]:
    """Settings that lead carecite to both."""
    slack, telegram = told["slack"], told["telegram"]
    return {
        "CARECITE_SLACK_BASE_URL": slack["base_url"],
        "CARECITE_SLACK_BOT_TOKEN": slack["bot_token"],
        "CARECITE_SLACK_APP_TOKEN": slack["app_token"],
        "CARECITE_SLACK_SIGNING_SECRET": slack["signing_secret"],
        "CARECITE_TELEGRAM_BASE_URL": telegram["base_url"],
        "CARECITE_TELEGRAM_TOKEN": telegram["token"],
    }


def main(words: list[str] | None = None) -> int:
    try:
        asyncio.run(serve(read_arguments(words)))
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
