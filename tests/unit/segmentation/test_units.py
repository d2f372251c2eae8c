"""The one text of an article, and what never shares a passage (methods.md 1.6 step 1, case F08)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reasoning.retrieval.segmentation.units import document_text, lay_out
from storage.documents import Article, Section, SectionKind

SECTIONS = st.lists(
    st.builds(
        Section,
        text=st.sampled_from(
            ["One came. Two left.", "No stop", "a | b\nc | d", " ", "第一。第二。", "x\n\ny. Z"]
        ),
        label=st.sampled_from([None, "RESULTS", "Harm:", ""]),
        kind=st.sampled_from(SectionKind),
        page=st.none() | st.integers(1, 9),
    ),
    max_size=7,
)


def _article(*sections: Section) -> Article:
    return Article(doc_id="1", title="Sample", source="text", sections=sections)


def test_parts_of_an_abstract_share_a_unit_with_their_labels_as_printed() -> None:
    article = _article(
        Section("An opening sentence.", None, SectionKind.ABSTRACT),
        Section("Six of ten improved.", "RESULTS", SectionKind.ABSTRACT),
        Section("It may help.", "What this means:", SectionKind.ABSTRACT),
    )
    assert document_text(article) == (
        "An opening sentence.\nRESULTS: Six of ten improved.\nWhat this means: It may help."
    )
    (unit,) = lay_out(article).units
    document = document_text(article)
    assert unit.part_at(document.index("Six")).label == "RESULTS"
    assert unit.part_at(document.index("opening")).label is None


def test_sections_tables_and_legends_are_units_that_open_with_their_label() -> None:
    article = _article(
        Section("An abstract.", None, SectionKind.ABSTRACT),
        Section("It helps.", "Benefit", page=2),
        Section("Dose | Upset\n60 mg | 4", "Table 1", SectionKind.TABLE, page=3),
        Section("Flow of people.", "Figure 1", SectionKind.FIGURE),
    )
    document = lay_out(article)
    assert [document.text[unit.start : unit.end].strip() for unit in document.units] == [
        "An abstract.",
        "Benefit\nIt helps.",
        "Table 1\nDose | Upset\n60 mg | 4",
        "Figure 1\nFlow of people.",
    ]
    assert [unit.parts[0].page for unit in document.units] == [None, 2, 3, None]


def test_a_label_is_in_the_sentence_that_follows_it() -> None:
    document = lay_out(_article(Section("It helps. It harms.", "Benefit")))
    spans = document.units[0].sentences(document.text)
    assert [document.text[start:end] for start, end in spans] == ["Benefit\nIt helps. ", "It harms."]


def test_rows_of_a_table_are_its_sentences() -> None:
    document = lay_out(_article(Section("Dose | Note. More\n\n60 mg | b", "T", SectionKind.TABLE)))
    spans = document.units[0].sentences(document.text)
    assert [document.text[start:end] for start, end in spans] == ["T\nDose | Note. More\n\n", "60 mg | b"]


def test_without_text_there_are_no_units() -> None:
    assert lay_out(_article()).units == ()
    assert document_text(_article(Section(" \n", "RESULTS"))) == ""


@given(SECTIONS)
def test_units_and_their_sentences_tile_the_document(sections: list[Section]) -> None:
    document = lay_out(_article(*sections))
    assert "".join(document.text[unit.start : unit.end] for unit in document.units) == document.text
    for unit in document.units:
        spans = unit.sentences(document.text)
        assert "".join(document.text[slice(*span)] for span in spans) == document.text[unit.start : unit.end]
    told = [section for section in sections if section.text.strip()]
    assert len([part for unit in document.units for part in unit.parts]) == len(told)
