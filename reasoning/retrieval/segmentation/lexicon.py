"""Words that decide where a sentence ends and whether it leans on the one before (our choice)."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A full stop after these never ends a sentence.
NEVER_LAST = _words(
    """
    e.g i.e eg ie vs v.s cf ca approx resp viz incl excl esp fig figs eq eqs ref refs tab suppl supp
    vol vols pp chap sect subsp ssp var cv
    """
)
TITLES = _words(
    """
    Dr Drs Prof Profs Mr Mrs Ms Mx Messrs St Ste Mt Rev Hon Gen Capt Col Lt Sgt Pres Gov Rep Sen
    """
)
# Nor after these, where a number follows.
BEFORE_NUMBER = _words(
    """
    no nos p n art para cat ver rel lot max avg temp wt ht tel ext dil conc ed ch sec ser item jan feb
    mar apr jun jul aug sep sept oct dec ph gr gen
    """
)
# After these only where a word follows that likes to open sentences.
SELDOM_LAST = _words(
    """
    al inc ltd co corp bros jr sr univ dept inst assoc sp spp gmbh est dev
    """
)
# After these only where no bracket or number follows.
OFTEN_LAST = _words(
    """
    etc yr yrs mo mos wk wks hr hrs
    """
)

SENTENCE_OPENERS = _words(
    """
    A An The This These That Those It Its They Their We Our I He She His Her You Your There Here In On
    At By For From Of To With Without Within Among Between During After Before Since Until While When
    Where Whereas Although Though Because If As However Moreover Furthermore Therefore Thus Hence Then
    Also Both Each All Most Many Some Several Few Other Others Another No None Not Only Such But And Or
    So Yet Nevertheless Overall Finally First Second Accordingly Additionally Consequently Conversely
    Similarly Interestingly Notably Meanwhile Compared Using Based Patients Results Conclusions Methods
    Nobody Everyone What Which Who Why How
    """
)
CALENDAR = _words(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July
    August September October November December
    """
)

# "vitamin K." ends a sentence, "and S. aureus" does not: nouns that a single letter completes, and
# small words after which a single letter is somebody's or something's initial.
LETTERED = _words(
    """
    group type vitamin hepatitis factor class grade stage table figure part appendix panel arm cohort
    phase influenza protein kinase section step drug treatment site lesion strain
    """
)
BEFORE_INITIAL = _words(
    """
    and or by with from of to the in on for as but than that when while via per between both like see
    against not are was were has had including namely was only also into onto over under
    """
)

_ANAPHOR = re.compile(
    r"""[\s"'“‘(\[]*(?:
    (?:this|these|those|such|they|their|them|its|he|she|his|her|both|however|nevertheless|nonetheless|conversely
      |but|yet|moreover|furthermore|therefore|thus|hence|consequently|instead|otherwise|similarly|likewise
      |accordingly|(?:in|by)\ contrast|in\ (?:addition|turn|that\ case)|as\ a\ result
      |on\ the\ (?:other\ hand|contrary)      |for\ (?:example|instance)|the\ (?:former|latter|same)
      |it(?!\ (?:is|was|has\ been|remains)\ \w+\ (?:that|to)\b))\b
    |其(?!他|它|余)|该|此|这|那|但|然而|不过|因此|所以|相反|另外|同时|例如|上述|前者|后者|它|他|她|反之|尽管如此
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def opens_with_anaphor(text: str) -> bool:
    """Whether the text starts with a word that points back or contrasts (methods.md 1.6 step 9)."""
    return _ANAPHOR.match(text) is not None


LIST_ITEM = re.compile(
    r"[ \t\u3000]*(?:[-*+•‣◦▪●·–—][ \t]|[(（]?(?P<mark>\d{1,2}|[a-z]|[ivx]{1,4}|[一二三四五六七八九十]{1,2})"
    r"[)）]|(?P<number>\d{1,2})[.、．](?!\d)|(?P<han>[一二三四五六七八九十]{1,2})、)"
)
CELL_BORDER = " | "  # between the cells of a table row (storage.documents.SectionKind.TABLE)
