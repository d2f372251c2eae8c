"""The pages of the review. A further part of it (queue, dashboards, exports, audit, accounts) is a module
beside these, with its HANDLERS by the names of routes, and a line in `bot.review.app.PAGES`.
"""
