"""Slack on loopback: Web API, Socket Mode, signed HTTP events, and the people who write.

Layout
    limits, layout, tiers             what a message, its blocks and a method's pace may be; pure functions
"""
