"""Telegram's Bot API on loopback: methods, long polls, webhooks, and the people who write.

Layout
    server.TelegramServer             the server, for an `async with`; `people`, `state`, `updates`, `ledger`
    limits, formatting                what a message may be; pure functions
    markdown_v2, html_markup, links   the two parse modes, and what is a link
    people, places                    what people do: verbs, here and on the control plane
    updates, webhook                  how it reaches the bot, and comes again
    calls, *_methods, requests        the Bot API
    state, transcript                 what was said, as data and as text
"""
