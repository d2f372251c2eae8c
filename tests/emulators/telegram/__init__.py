"""Telegram's Bot API on loopback: methods, long polls, webhooks, and the people who write.

Layout
    limits, formatting                what a message may be; pure functions
    markdown_v2, html_markup          the two parse modes
"""
