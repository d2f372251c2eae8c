"""Supported, or not said: every sentence against the evidence it cites."""

from reasoning.verify.verification import Supported, verify_claims

__all__ = ["Supported", "verify_claims"]
