"""NCBI E-utilities: live search and fetch. This page is the door; what is not named here is private.

PubMedDoor  the way to one server, as long as the process lives
PubMed      what one question has of it (`reasoning.literature.Literature`)
"""

from reasoning.retrieval.eutils.client import PubMed, PubMedDoor
from reasoning.retrieval.eutils.keeping import KeptSearch, SearchCache
from reasoning.retrieval.eutils.shelf import Records, Store

__all__ = [
    "KeptSearch",
    "PubMed",
    "PubMedDoor",
    "Records",
    "SearchCache",
    "Store",
]
