"""Measuring the product over folders laid out like the shared measuring data."""
