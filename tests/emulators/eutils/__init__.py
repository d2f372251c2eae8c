"""E-utilities on loopback: a server that evaluates PubMed queries over any corpus and fails as it is told.

It shares nothing with the product: its own parser, its own index, its own XML, so that each checks the other.
It does what PubMed does, quirks included (methods.md 5.2 and 5.3, cases F01 to F05, F12, F13).

    corpus.Corpus, records.Record     what is served; `retract(pmid)`, `block(pmcid)` at any time
    folder.load_folder                the same from files
    server.EutilsServer               the server, for a `with`; faults.* for `server.fail`
    pacing.RateLimit                  NCBI's limit, off unless given
    python -m tests.emulators.eutils --data DIR --port P
"""
