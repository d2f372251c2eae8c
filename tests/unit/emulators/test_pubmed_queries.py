"""PubMed's rules of searching, one by one (methods.md 5.3), on a handful of invented records."""

from __future__ import annotations

import pytest

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.evaluation import BackendError, Evaluation, evaluate
from tests.emulators.eutils.mesh import Descriptor, Thesaurus
from tests.emulators.eutils.ranking import order
from tests.emulators.eutils.records import Author, Heading, Record, Section


def say(text: str) -> tuple[Section, ...]:
    return (Section(text),)


RECORDS = [
    Record(
        "1",
        "Aspirin after a heart attack",
        say("Aspirin lowered mortality in the elderly."),
        mesh=(Heading("Myocardial Infarction", major=True, qualifiers=("drug therapy",)), Heading("Humans")),
        types=("Journal Article", "Randomized Controlled Trial"),
        published=(2020, 3),
        entered=(2020, 4, 2),
        journal="The Lancet",
        authors=(Author("Example", "AB"), Author("Second", "C")),
        affiliations=("Invented Hospital, Nowhere",),
        substances=("Aspirin",),
        keywords=("secondary prevention",),
        pmcid="PMC91",
        doi="10.5555/1",
    ),
    Record(
        "2",
        "Heart failure and an attack of gout",
        say("Colchicine helped. The attack was short; the heart failed later."),
        mesh=(Heading("Gout"),),
        published=(2015,),
        entered=(2015, 1, 1),
    ),
    Record(
        "3",
        "Beta-blockers for tremor: a systematic review",
        say("β-blockers reduce tremor."),
        types=("Journal Article", "Systematic Review"),
        published=(2018, 12, 31),
        language="ger",
    ),
    Record(
        "4", "Small cell lung cancer", say("Tumours of the lung shrank."), mesh=(Heading("Lung Neoplasms"),)
    ),
    Record("5", "Thoracic surgery", mesh=(Heading("Thoracic Neoplasms", major=True),), published=(2021,)),
    Record(
        "6", "Psittacine flight", say("A bird. Flight of psittacine birds was filmed."), published=(1999,)
    ),
    Record("7", "Beta rays and a blocker valve", say("A heart attack was seen."), published=(2001,)),
    Record("8", "Crohn's disease, treated", say("The quality of life improved in Crohn's disease.")),
    Record("9", "Quality of life with a stoma", say("Hypertensive, hypertension, hypertrophy.")),
]
THESAURUS = [
    Descriptor("Neoplasms", ("C04",), ui="D009369"),
    Descriptor("Thoracic Neoplasms", ("C04.588.894",)),
    Descriptor("Lung Neoplasms", ("C04.588.894.797.520",), ["Pulmonary Cancer"]),
    Descriptor("Myocardial Infarction", ("C14.907.585.500",), ["Heart Attack"]),
    Descriptor("Carcinoma, Renal Cell", ("C04.557.470.200.025.390",)),
    Descriptor("Quality of Life"),
]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(RECORDS, thesaurus=Thesaurus(THESAURUS))


def found(corpus: Corpus, query: str) -> set[str]:
    mask = evaluate(corpus, query).mask
    return {record.pmid for at, record in enumerate(corpus.records) if mask[at]}


@pytest.mark.parametrize(
    ("query", "pmids"),
    [
        # from left to right, brackets first, operators in capitals only
        ("gout[ti] OR tremor[ti] AND aspirin[ti]", ""),
        ("gout[ti] OR (tremor[ti] AND aspirin[ti])", "2"),
        ("aspirin[ti] AND tremor[ti] OR gout[ti]", "2"),
        ("gout[ti] or tremor[ti]", ""),
        ("heart[ti] NOT gout[ti]", "1"),
        ("heart[ti] AND NOT gout[ti]", "1"),
        ("heart[ti] gout[ti]", "2"),
        ("gout & colchicine", "2"),
        ("gout | tremor", "2 3"),
        ("((gout[ti] AND colchicine[tiab]", "2"),  # unbalanced brackets are passed over
        ("gout[ti]) OR tremor[ti]", "2 3"),
        ('gout[ti] OR "tremor', "2 3"),
        ("", ""),
        ("AND OR ( )", ""),
        ("[pdat]", ""),
        ("NOT heart", "3 4 5 6 8 9"),
        # fields
        ("lowered[ti]", ""),
        ("lowered[tiab]", "1"),
        ('"secondary prevention"[ot]', "1"),
        ("prevention[tiab]", "1"),
        ("infarction[tiab]", ""),
        ("infarction[tw]", "1"),
        ("infarction[Text Word]", "1"),
        ("lancet[tw]", ""),
        ("lancet[all]", "1"),
        ("nowhere[ad]", "1"),
        ("nowhere[tw]", ""),
        ("the lancet[ta]", "1"),
        ("aspirin[nm]", "1"),
        ("gout[Title/Abstract]", "2"),
        ("gout[ TITLE ]", "2"),
        ("Example A[au]", "1"),
        ("Example AB[1au]", "1"),
        ("Second C[1au]", ""),
        ("Second C[lastau]", "1"),
        ("10.5555/1[aid]", "1"),
        ("3[uid]", "3"),
        ("2 3", "2 3"),  # nothing but PMIDs
        # publication types, languages, filters
        ("systematic review[pt]", "3"),
        ("Randomized Controlled Trial[Publication Type]", "1"),
        ("clinical trial[pt]", "1"),  # with those below it
        ("german[la]", "3"),
        ("ger[Language]", "3"),
        ("english[la] AND tremor", ""),
        ("hasabstract AND surgery", ""),
        ("surgery NOT hasabstract", "5"),
        ("hasabstract gout", "2"),
        ("systematic[sb]", "3"),
        ("pubmed pmc open access[filter]", "1"),
        ("cancer[sb]", "4"),
        ("humans[filter]", "1"),
        # dates
        ("2015:2018[dp]", "2 3"),
        ("2018/12/31[dp]", "3"),
        ("2018/01/01:2018/12/30[pdat]", ""),
        ("2020[dp]", "1"),
        ('"2020/01/01"[Date - Publication] : "3000"[Date - Publication]', "1 5"),
        ("2020/04:2020/04[edat]", "1"),
        ("1000:3000[dp] AND lung", ""),  # what has no date is in no span
        # MeSH
        ("thoracic neoplasms[mh]", "4 5"),
        ("thoracic neoplasms[mh:noexp]", "5"),
        ('"Neoplasms"[MeSH Terms]', "4 5"),
        ("neoplasms[majr]", "5"),
        ("lung neoplasms[majr]", ""),
        ("heart attack[mh]", "1"),  # an entry term leads to its heading
        ("pulmonary cancer[mesh]", "4"),
        ("myocardial infarction/drug therapy[mh]", "1"),
        ("myocardial infarction/surgery[mh]", ""),
        ("renal cell carcinoma[mh]", ""),
        ("drug therapy[sh]", "1"),
        # phrases
        ('"heart attack"[tiab]', "1 7"),
        ("heart attack[tiab]", "1 7"),
        ('"quality of life"', "8 9"),
        ('"flight of birds"[tiab]', "6"),  # not in the phrase index: its words, each with the tag
        ('"psittacine birds flight"', "6"),  # no tag: its words, mapped
        ("beta-blocker", ""),  # hyphenated and not in the index: nothing, not its words
        ("beta-blocker[tiab]", ""),
        ("beta blocker", "3 7"),
        ("crohn's disease[tiab]", "8"),
        # proximity
        ('"attack heart"[tiab:~0]', "1 7"),
        ('"heart attack"[tiab:~3]', "1 2 7"),
        ('"gout heart"[ti:~3]', ""),
        ('"gout heart"[Title:~4]', ""),
        ('"gout heart"[Title:~5]', "2"),
        ('"tremor reduce"[tiab:~0]', "3"),
        ('"review beta"[tiab:~9]', "3"),
        ('"treated life"[tiab:~99]', ""),  # never from the title into the abstract
        # truncation
        ("hypert*[tiab]", "9"),
        ("hyperte*", "9"),
        ("hyp*[tiab]", ""),
        ("psitt*", "6"),
        ('"heart atta*"[tiab]', "1 7"),
        # term mapping
        ("heart attack", "1 2 7"),  # the words of an entry term need not stand together
        ("heart attack elderly", "1"),
        ("lung cancers", "4"),
        ("lung tumour", "4"),
        ("neoplasms", "4 5"),
        ("what is the gout", "2"),
        ("improvement", "8"),  # other forms of a word
        ("β-blockers[tiab]", ""),
        ("hypertension?", "9"),
        ("Gout: an attack!", "2"),
        ("Lancet", "1"),
    ],
)
def test_rule(corpus: Corpus, query: str, pmids: str) -> None:
    assert found(corpus, query) == set(pmids.split())


def notes(corpus: Corpus, query: str) -> Evaluation:
    return evaluate(corpus, query)


def test_unknown_word_falls_away_and_the_rest_goes_on(corpus: Corpus) -> None:
    reply = notes(corpus, "Veldenhof-Asakawa gout")
    assert reply.notes.not_found == ["Veldenhof-Asakawa"]
    assert found(corpus, "Veldenhof-Asakawa gout") == {"2"}
    assert "eldenhof" not in reply.translation


def test_tagged_word_unknown_in_its_field_falls_away(corpus: Corpus) -> None:
    reply = notes(corpus, "flegel[MeSH Terms] AND gout[mh]")
    assert reply.notes.not_found == ["flegel[MeSH Terms]"]
    assert reply.translation == '"gout"[MeSH Terms]'


@pytest.mark.parametrize(
    "query", ["gout NOT zzqx", "gout OR zzqx", "zzqx AND gout", "(zzqx OR zzqy) AND gout"]
)
def test_nothing_is_lost_with_an_unknown_word(corpus: Corpus, query: str) -> None:
    assert found(corpus, query) == {"2"}


def test_heading_without_a_record_is_no_unknown_word(corpus: Corpus) -> None:
    reply = notes(corpus, "renal cell carcinoma[mh] AND gout")
    assert not reply.notes.not_found
    assert not reply.mask.any()


def test_type_without_a_record_is_no_unknown_word(corpus: Corpus) -> None:
    assert not found(corpus, "gout AND meta-analysis[pt]")
    assert found(corpus, 'gout NOT "retracted publication"[pt]') == {"2"}


def test_all_words_unknown(corpus: Corpus) -> None:
    reply = notes(corpus, "abcXYZ")
    assert reply.translation == "(abcXYZ[All Fields])"
    assert not reply.mask.any()


def test_stop_words_are_ignored_and_told(corpus: Corpus) -> None:
    assert notes(corpus, "the gout and the heart").notes.ignored == ["the", "and"]
    assert not notes(corpus, "quality of life").notes.ignored


def test_quoted_phrase_that_is_not_in_the_index(corpus: Corpus) -> None:
    reply = notes(corpus, '"psittacine birds flight" AND bird')
    assert reply.notes.quoted_not_found == ['"psittacine birds flight"']
    assert '"psittacine"[All Fields] AND' in reply.translation
    tagged = notes(corpus, '"flight of birds"[tiab]')
    assert tagged.notes.quoted_not_found == ['"flight of birds"[tiab]']
    assert tagged.notes.ignored == ["of"]
    assert tagged.translation == '"flight"[Title/Abstract] AND "birds"[Title/Abstract]'


def test_phrases_enter_the_index_by_being_told_or_by_number() -> None:
    told = Corpus(RECORDS, phrases=["flight of psittacine birds"])
    assert not notes(told, '"flight of psittacine birds"').notes.quoted_not_found
    assert not notes(Corpus(RECORDS, phrase_minimum=1), '"birds was filmed"').notes.quoted_not_found


def test_unknown_field_is_told_and_all_fields_are_searched(corpus: Corpus) -> None:
    reply = notes(corpus, "gout[Supplement]")
    assert reply.notes.fields_not_found == ["Supplement"]
    assert reply.translation == '"gout"[All Fields]'


def test_mapped_words_are_shown_as_pubmed_shows_them(corpus: Corpus) -> None:
    reply = notes(corpus, "heart attack")
    assert reply.translation == (
        '"myocardial infarction"[MeSH Terms] OR ("myocardial"[All Fields] AND "infarction"[All Fields]) OR '
        '"myocardial infarction"[All Fields] OR ("heart"[All Fields] AND "attack"[All Fields]) OR '
        '"heart attack"[All Fields]'
    )
    assert reply.notes.translations == [("heart attack", reply.translation)]
    both = notes(corpus, "heart attack AND 2015:2020[dp]").translation
    assert both == f"({reply.translation}) AND 2015/01/01:2020/12/31[Date - Publication]"


def test_tag_or_quotes_switch_mapping_off(corpus: Corpus) -> None:
    assert found(corpus, "blockers") == {"3", "7"}
    for query in ('"blockers"', "blockers[tiab]"):
        assert found(corpus, query) == {"3"}
    assert "MeSH" not in notes(corpus, '"heart attack"').translation


def test_asterisk_inside_a_proximity_phrase_ends_it(corpus: Corpus) -> None:
    assert found(corpus, '"heart attac*"[tiab:~5]') == {"1", "7"}


def test_short_beginning_is_taken_as_it_stands(corpus: Corpus) -> None:
    assert "hyp*" in notes(corpus, "hyp*[tiab] OR gout").notes.messages[0]


def test_too_many_wildcards(corpus: Corpus) -> None:
    query = " OR ".join(["hypert*[tiab]"] * 255)
    assert found(corpus, query) == {"9"}
    with pytest.raises(BackendError, match="wildcards"):
        evaluate(corpus, query + " OR hypert*[tiab]")


def test_long_and_deep_queries(corpus: Corpus) -> None:
    assert found(corpus, " OR ".join(["gout[ti]"] * 3000)) == {"2"}
    with pytest.raises(BackendError, match="deep"):
        evaluate(corpus, "(" * 5000 + "gout" + ")" * 5000)


def ranked(corpus: Corpus, query: str, sort: str = "relevance") -> list[str]:
    return [corpus.records[at].pmid for at in order(corpus, evaluate(corpus, query), sort)]


def test_orders(corpus: Corpus) -> None:
    assert ranked(corpus, "heart OR gout")[0] == "2"
    assert ranked(corpus, "heart", "") == ["1", "2", "7"]  # latest entry first, what has none last
    assert ranked(corpus, "heart OR tremor OR surgery", "pub_date") == ["5", "1", "3", "2", "7"]
    assert ranked(corpus, "tremor gout OR aspirin")[0] == "1"


def test_words_in_the_title_and_side_by_side_go_first() -> None:
    corpus = Corpus(
        [
            Record("11", "On bones", say("Vitamin intake and the sun; a lack of D was rare. Also sun.")),
            Record(
                "12", "Sun and vitamin D", say("Bones need it. A lack is common, in the north above all.")
            ),
            Record(
                "13", "Bones", say("Lack of sun, vitamin D apart from bones, is not studied here at all.")
            ),
        ]
    )
    assert ranked(corpus, "vitamin D sun") == ["12", "13", "11"]
    assert ranked(corpus, "vitamin D sun") == ranked(corpus, "vitamin D sun")


def test_standing_changes_while_it_is_served() -> None:
    corpus = Corpus(RECORDS)
    assert found(corpus, 'heart NOT "retracted publication"[pt]') == {"1", "2", "7"}
    corpus.retract("1", notice="6")
    assert found(corpus, 'heart NOT "retracted publication"[pt]') == {"2", "7"}
    assert found(corpus, "retracted publication[pt]") == {"1"}
