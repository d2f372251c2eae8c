"""The emulator from the command line, until it is stopped.

python -m tests.emulators.eutils --data ../shared/data --port 8085
CARECITE_EUTILS_BASE_URL=http://127.0.0.1:8085/entrez/eutils/ carecite eval retrieval
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.emulators.eutils.folder import load_folder
from tests.emulators.eutils.pacing import RateLimit
from tests.emulators.eutils.server import EutilsServer

_EVERY = 5.0  # seconds between two progress lines


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.emulators.eutils", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, required=True, help="folder laid out as the measuring data, or of files"
    )
    parser.add_argument("--port", type=int, default=8085)
    parser.add_argument("--invent-pmids", action="store_true", help="serve documents without a PMID, too")
    parser.add_argument("--limit", action="store_true", help="NCBI's rate limit: 3 a second, 10 with a key")
    parser.add_argument(
        "--retract", default="", metavar="PMIDS", help="mark these as retracted, commas between"
    )
    parser.add_argument("--phrase-minimum", type=int, default=2, help="records that make a phrase known")
    return parser.parse_args(words)


def tell(text: str) -> None:
    sys.stderr.write(f"eutils: {text}\n")
    sys.stderr.flush()


def main(words: list[str] | None = None) -> int:
    options = read_arguments(words)
    corpus = load_folder(
        options.data,
        invent_pmids=options.invent_pmids,
        phrase_minimum=options.phrase_minimum,
        progress=tell,
    )
    corpus.retract(*filter(None, options.retract.split(",")))
    with EutilsServer(corpus, port=options.port, limit=RateLimit() if options.limit else None) as server:
        tell(f"CARECITE_EUTILS_BASE_URL={server.base_url}")
        told = 0
        try:
            while True:
                time.sleep(_EVERY)
                if len(server.asked) != told:
                    told = len(server.asked)
                    tell(f"{told} requests, {len(server.searches)} of them searches")
        except KeyboardInterrupt:
            tell("stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
