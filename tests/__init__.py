"""Tests: one folder, one kind of dependency."""
