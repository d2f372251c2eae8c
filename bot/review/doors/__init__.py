"""Ways in: a provider that vouches for somebody, or a local account for the day on which that is down."""
