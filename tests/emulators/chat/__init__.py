"""What the emulators of Slack and Telegram share, and both as one program.

    python -m tests.emulators.chat --slack-port 0 --telegram-port 0

prints one line of JSON with the addresses and tokens, and serves until it is stopped (--with-stdin: or its
stdin ends).

Layout
    service.Service        an aiohttp server on a port of 127.0.0.1 while an `async with` lasts
    control                the same verbs over HTTP that tests in the same process call as methods
    process                the program as a child, and its control plane as a client
    ledger                 calls, refusals for pace, and whether those were obeyed
    faults                 failures to order, by method
"""
