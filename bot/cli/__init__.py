"""The command line. Importing it loads no model, database or chat library: `--help` must be quick."""

from bot.cli.entry import main

__all__ = ["main"]
