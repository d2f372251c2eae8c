"""`carecite eval`: measuring the product over folders laid out like the shared measuring data."""

from __future__ import annotations

import typer

from bot.cli import (
    evaluate_depth,
    evaluate_exam,
    evaluate_graph,
    evaluate_retrieval,
    evaluate_routing,
    evaluate_segmentation,
    evaluate_support,
)

app = typer.Typer(no_args_is_help=True, help="Measure the product on question sets.")


@app.callback()
def about() -> None:
    """Measure the product on question sets; figures come with 95 % intervals."""


evaluate_support.register(app)
evaluate_retrieval.register(app)
evaluate_routing.register(app)
evaluate_exam.register(app)
evaluate_segmentation.register(app)
evaluate_depth.register(app)
evaluate_graph.register(app)
