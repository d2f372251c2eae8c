"""One answer, many looks."""
