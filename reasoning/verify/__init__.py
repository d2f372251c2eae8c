"""Supported, or not said."""

from reasoning.verify.citations import Supported, verify_claims

__all__ = ["Supported", "verify_claims"]
