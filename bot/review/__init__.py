"""The review in the browser (chat.md 5): what was asked and answered, on what evidence, and was it right.

    access      what each page needs, and who therefore sees it: one table
    app         the pages put together, `create_app`; serving runs it
    protecting  what every request is checked for, and every response says
    visits      who a request comes from, and what they may
    doors       signing in: by OIDC, or with a local account
    pages       one module a part of the web; each lists its HANDLERS
    templates, static    what they are made of; nothing is loaded from elsewhere

A page is a line in `access.ROUTES`, a function in HANDLERS of its module, and a template. It takes a `Visit`,
whose actor it gives to storage, which sees to reach and audit. Every page works without JavaScript.
"""
