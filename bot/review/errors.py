"""What the web says no to, beside what storage does.

CareciteError
├── NoAddress          the settings name no address
├── PortTaken
└── WebError           answered with its `status`
    ├── SignInNeeded
    ├── FormForged
    ├── FormTooOld
    └── OidcRefused
"""

from __future__ import annotations

from config.errors import BAD_USAGE, CareciteError


class NoAddress(CareciteError):
    """The review has no address that browsers reach safely."""

    exit_code = BAD_USAGE
    remedy = (
        "Set CARECITE_REVIEW_URL to the https address of your proxy, or, for a trial on this machine alone, "
        "CARECITE_REVIEW_PLAIN_HTTP=true."
    )


class PortTaken(CareciteError):
    """The port of the review cannot be used."""

    exit_code = BAD_USAGE
    remedy = "Set another CARECITE_REVIEW_PORT, or check CARECITE_REVIEW_HOST."


class WebError(CareciteError):
    """The page cannot be shown."""

    status = 400


class SignInNeeded(WebError):
    """You are not signed in, or not any more."""

    status = 401
    remedy = "Sign in again; what you sent was not kept."


class FormForged(WebError):
    """This form does not come from a page of this site, or from before you signed in."""

    status = 403
    remedy = "Open the page again, and send it from there."


class FormTooOld(WebError):
    """This form is too old."""

    status = 403
    remedy = "Open the page again; cookies must be allowed."


class OidcRefused(WebError):
    """Your organisation's sign-in did not work, or it does not know you here."""

    status = 403
    remedy = "Try again; an administrator can add your account."
