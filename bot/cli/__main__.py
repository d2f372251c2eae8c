"""`python -m bot.cli`: the program without an installed script."""

from bot.cli.entry import main

main()
