"""Slack on loopback: Web API, Socket Mode, signed HTTP events, and the people who write.

Layout
    server.SlackServer                the server, for an `async with`; `people`, `workspaces`, `ledger`, …
    limits, layout, tiers, pings      what a message, its blocks and a method's pace may be; pure functions
    people, interactions              what people do: verbs, here and on the control plane
    sockets, deliveries, events       how it reaches the app, and comes again
    calls, *_methods, replies         the Web API
    installation, responses           OAuth, and response_url
    state, transcript                 what was said, as data and as text
"""
