"""PubMed records: abstracts, dates, titles, authors, ids, standing (cases F08, F09, F11, F12, F17)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from reasoning.retrieval.reading import Article, Rejected, UnknownFormat, citation_line, read_pubmed
from storage.documents import ForeignText, MeshHeading, PartialDate, PublicationType, SectionKind, Standing

Read = Callable[..., Article]


def labels_and_texts(article: Article) -> list[tuple[str | None, str]]:
    return [(section.label, section.text) for section in article.sections]


def test_every_part_of_an_abstract_is_kept_with_its_printed_label(read_abstract: Read) -> None:
    article = read_abstract(
        "<AbstractText>Opening.</AbstractText>"
        '<AbstractText Label="PATIENTS AND SETTING:" NlmCategory="METHODS">Forty people.</AbstractText>'
        '<AbstractText Label="UNASSIGNED">Registered.</AbstractText>'
        '<AbstractText Label="" NlmCategory="UNASSIGNED">Closing.</AbstractText>'
        '<AbstractText Label="FUNDING"/>'
        "<CopyrightInformation>Copyright 2020.</CopyrightInformation>"
    )
    assert labels_and_texts(article) == [
        (None, "Opening."),
        ("PATIENTS AND SETTING", "Forty people."),
        (None, "Registered."),
        (None, "Closing."),
    ]
    assert {section.kind for section in article.sections} == {SectionKind.ABSTRACT}


@pytest.mark.parametrize("inside", ["", "<AbstractText/>", "<AbstractText> </AbstractText>"])
def test_an_empty_abstract_is_none(read_abstract: Read, inside: str) -> None:
    assert read_abstract(inside).sections == ()


@pytest.mark.parametrize(
    "line",
    [
        "© 2021 The Authors. Published by Invented Press.",
        "Copyright © 2019 Invented Press. All rights reserved.",
        "(c) 2001 The Society.",
        "Copyright 2003 The Society, Inc.",
    ],
)
def test_a_copyright_line_is_no_abstract_text(read_abstract: Read, line: str) -> None:
    assert labels_and_texts(read_abstract(f"<AbstractText>Feet warmed. {line}</AbstractText>")) == [
        (None, "Feet warmed.")
    ]


@pytest.mark.parametrize(
    "text",
    ["Steps: (a) wash. (b) dry. (c) In 2001 we added socks.", "The copyright law of 2001 was studied."],
)
def test_what_only_resembles_a_copyright_line_stays(read_abstract: Read, text: str) -> None:
    assert labels_and_texts(read_abstract(f"<AbstractText>{text}</AbstractText>")) == [(None, text)]


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("<Year>2011</Year><Season>Summer</Season>", "2011"),
        ("<Year>2005</Year><Month>Sep</Month>", "2005-09"),
        ("<Year>2017</Year><Month>02</Month><Day>10</Day>", "2017-02-10"),
        ("<Year>2009</Year><Month>2</Month><Day>29</Day>", "2009-02"),
        ("<Year>2009</Year><Month>13</Month><Day>1</Day>", "2009"),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "1998"),
        ("<MedlineDate>Fall 2016</MedlineDate>", "2016"),
        ("<MedlineDate>2000-2001</MedlineDate>", "2000"),
        ("<MedlineDate>Spring-Summer</MedlineDate>", None),
        ("<Year>²⁰²⁰</Year>", None),
        ("", None),
    ],
)
def test_issue_dates_keep_their_precision(read_record: Read, printed: str, expected: str | None) -> None:
    article = read_record(f"<Journal><JournalIssue><PubDate>{printed}</PubDate></JournalIssue></Journal>")
    assert article.issue_date == (PartialDate.parse(expected) if expected else None)


def test_dates_are_never_mixed(read_record: Read) -> None:
    article = read_record(
        "<Journal><JournalIssue><PubDate><Year>2005</Year><Month>Sep</Month></PubDate></JournalIssue>"
        "</Journal>"
        '<ArticleDate DateType="Electronic"><Year>2004</Year><Month>05</Month><Day>31</Day></ArticleDate>',
        citation="<DateRevised><Year>2024</Year></DateRevised>",
        data='<History><PubMedPubDate PubStatus="entrez"><Year>2004</Year><Month>6</Month><Day>1</Day>'
        "<Hour>9</Hour></PubMedPubDate></History>",
    )
    assert (str(article.issue_date), str(article.online_date), article.year) == (
        "2005-09",
        "2004-05-31",
        2005,
    )
    assert article.entrez_date == date(2004, 6, 1)


def test_the_online_date_serves_where_the_issue_has_no_year(read_record: Read) -> None:
    article = read_record(
        "<Journal><JournalIssue><PubDate><MedlineDate>Winter</MedlineDate></PubDate></JournalIssue></Journal>"
        "<ArticleDate><Year>2013</Year></ArticleDate>"
    )
    assert article.year == 2013


def test_a_title_that_is_not_available_gives_way_to_the_vernacular_one(read_record: Read) -> None:
    article = read_record(
        "<Language>fre</Language><VernacularTitle>L'eau de <i>riz</i>.</VernacularTitle>",
        title="[Not Available].",
    )
    assert (article.title, article.language, article.original_language) == ("L'eau de riz.", "fr", "fre")
    assert citation_line(article) == "L'eau de riz. Article in French."


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("[Rice water for diarrhoea].", "Rice water for diarrhoea."),
        ("[Is [18F]FDG needed?].", "Is [18F]FDG needed?"),
        ("[18F]FDG uptake in [the brain].", "[18F]FDG uptake in [the brain]."),
        ("[Rice water].[Letter]", "[Rice water].[Letter]"),
    ],
)
def test_brackets_around_a_translated_title_go(read_record: Read, printed: str, expected: str) -> None:
    article = read_record("<Language>spa</Language>", title=printed)
    assert (article.title, article.language, article.original_language) == (expected, "en", "spa")


def test_an_english_title_keeps_its_brackets(read_record: Read) -> None:
    assert read_record("<Language>eng</Language>", title="[Sic].").title == "[Sic]."


def test_other_abstracts_stay_apart_from_the_abstract(read_record: Read) -> None:
    article = read_record(
        "<Abstract><AbstractText>English.</AbstractText></Abstract>",
        citation='<OtherAbstract Type="Publisher" Language="ger">'
        '<AbstractText Label="ZIEL">Deutsch.</AbstractText></OtherAbstract>'
        '<OtherAbstract Type="plain-language-summary" Language="eng">'
        "<AbstractText>Plain.</AbstractText></OtherAbstract>",
    )
    assert labels_and_texts(article) == [(None, "English.")]
    assert article.other_abstracts == (ForeignText("ger", "ZIEL: Deutsch."),)
    assert article.plain_summary == "Plain."


def test_authors_people_groups_and_names_marked_not_valid(read_record: Read) -> None:
    article = read_record(
        '<AuthorList CompleteYN="N">'
        '<Author ValidYN="N"><LastName>Exampel</LastName><Initials>A</Initials></Author>'
        "<Author><LastName>Example</LastName><ForeName>Ada</ForeName><Initials>A</Initials></Author>"
        "<Author><LastName>Sample</LastName><ForeName>Jean-Luc Q</ForeName><Suffix>Jr</Suffix></Author>"
        "<Author><LastName>Madonna</LastName></Author>"
        "<Author><CollectiveName>The <i>SOCKS</i> Group</CollectiveName></Author><Author/></AuthorList>"
    )
    assert article.authors == ("Example A", "Sample JLQ Jr", "Madonna", "The SOCKS Group")
    assert not article.authors_complete
    assert citation_line(article).startswith("Example A, Sample JLQ Jr, Madonna, et al. A title.")


def test_a_citation_without_authors_journal_and_date_has_no_gaps(read_record: Read) -> None:
    assert citation_line(read_record()) == "A title."


def test_ids_are_those_of_the_record_not_of_what_it_cites(read_record: Read) -> None:
    article = read_record(
        data='<ArticleIdList><ArticleId IdType="pmc">7388797</ArticleId>'
        '<ArticleId IdType="doi">10.5555/Own</ArticleId>'
        "</ArticleIdList><ReferenceList><Reference><ArticleIdList>"
        '<ArticleId IdType="pubmed">70000099</ArticleId><ArticleId IdType="pmc">PMC99</ArticleId>'
        '<ArticleId IdType="doi">10.5555/other</ArticleId></ArticleIdList></Reference></ReferenceList>',
        citation="<CommentsCorrectionsList><CommentsCorrections RefType='Cites'><PMID>70000098</PMID>"
        "</CommentsCorrections></CommentsCorrectionsList>",
    )
    assert (article.doc_id, article.pmid, article.pmcid, article.doi) == (
        "70000001",
        "70000001",
        "PMC7388797",
        "10.5555/Own",
    )
    assert article.url == "https://pubmed.ncbi.nlm.nih.gov/70000001/"


def test_types_headings_and_keywords(read_record: Read) -> None:
    article = read_record(
        "<Journal><Title>Journal of Feet</Title><ISOAbbreviation>J Feet</ISOAbbreviation></Journal>"
        '<PublicationTypeList><PublicationType UI="D016454">Review</PublicationType></PublicationTypeList>',
        citation="<MeshHeadingList><MeshHeading>"
        '<DescriptorName UI="D005528" MajorTopicYN="N">Foot</DescriptorName>'
        '<QualifierName UI="Q1" MajorTopicYN="Y">injuries</QualifierName></MeshHeading><MeshHeading>'
        '<DescriptorName UI="D006801">Humans</DescriptorName></MeshHeading></MeshHeadingList>'
        "<KeywordList><Keyword>cold <i>feet</i></Keyword><Keyword/></KeywordList>",
    )
    assert article.container == "Journal of Feet"
    assert article.publication_types == (PublicationType("Review", "D016454"),)
    assert article.mesh == (
        MeshHeading("Foot", "D005528", True, ("injuries",)),
        MeshHeading("Humans", "D006801"),
    )
    assert article.keywords == ("cold feet",)


def _link(kind: str, pmid: str = "70000009") -> str:
    return f'<CommentsCorrections RefType="{kind}"><PMID>{pmid}</PMID></CommentsCorrections>'


def _type(name: str, ui: str) -> str:
    return f'<PublicationTypeList><PublicationType UI="{ui}">{name}</PublicationType></PublicationTypeList>'


@pytest.mark.parametrize(
    ("types", "links", "expected"),
    [
        (_type("Retracted Publication", "D016441"), "", Standing.RETRACTED),
        ("", _link("RetractionIn"), Standing.RETRACTED),
        ("", _link("RetractedandRepublishedIn"), Standing.RETRACTED),
        (_type("Retraction Notice", "D016440"), "", Standing.RETRACTION_NOTICE),
        ("", _link("RetractionOf"), Standing.RETRACTION_NOTICE),
        ("", _link("ExpressionOfConcernIn"), Standing.CONCERN),
        ("", _link("ErratumIn"), Standing.CORRECTED),
        ("", _link("UpdateIn"), Standing.SUPERSEDED),
        ("", _link("ErratumIn") + _link("UpdateIn"), Standing.SUPERSEDED),
        ("", _link("UpdateIn") + _link("ExpressionOfConcernIn"), Standing.CONCERN),
        ("", _link("ExpressionOfConcernIn") + _link("RetractionIn"), Standing.RETRACTED),
        ("", _link("Cites") + _link("CommentIn") + _link("UpdateOf") + _link("ErratumFor"), Standing.OK),
        (
            _type("Corrected and Republished Article", "D016439"),
            _link("CorrectedandRepublishedFrom"),
            Standing.OK,
        ),
    ],
)
def test_standing_comes_from_types_and_links(
    read_record: Read, types: str, links: str, expected: Standing
) -> None:
    article = read_record(
        types,
        title="Retraction: a retracted title",
        citation=f"<CommentsCorrectionsList>{links}</CommentsCorrectionsList>",
    )
    assert article.standing is expected


def test_links_name_the_notices_and_the_successor(read_record: Read) -> None:
    links = _link("UpdateIn", "70000008") + _link("UpdateIn", "70000009") + _link("ErratumIn", "70000007")
    article = read_record(
        citation=f"<CommentsCorrectionsList>{links}{_link('ErratumIn', 'none')}</CommentsCorrectionsList>"
    )
    assert article.superseded_by == "70000009"
    assert article.standing_links == ("70000008", "70000009", "70000007")


def test_unknown_elements_schemas_and_doctypes_are_no_error() -> None:
    xml = (
        '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD 2041" "https://dtd.invalid/pubmed_410101.dtd">'
        "<PubmedArticleSet><New><Thing/></New><PubmedArticle><MedlineCitation><PMID>7</PMID>"
        "<Strange>x</Strange>"
        "<Article><Odd/><ArticleTitle>T &alpha;</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
        "</PubmedArticleSet>"
    )
    (article,) = read_pubmed(xml.encode())
    assert isinstance(article, Article)
    assert article.title == "T α"


def test_an_empty_set_holds_nothing_and_another_root_is_refused() -> None:
    assert list(read_pubmed(b"<PubmedArticleSet></PubmedArticleSet>")) == []
    with pytest.raises(UnknownFormat, match="eFetchResult"):
        list(read_pubmed(b"<eFetchResult><ERROR>no</ERROR></eFetchResult>"))


def test_a_record_without_a_pmid_is_reported_and_the_others_are_read() -> None:
    found = list(
        read_pubmed(
            b"<PubmedArticleSet><PubmedArticle/><PubmedArticle><MedlineCitation><PMID>PMC12</PMID></MedlineCitation>"
            b"</PubmedArticle><PubmedArticle><MedlineCitation><PMID>12</PMID></MedlineCitation></PubmedArticle>"
            b"<DeleteCitation><PMID>13</PMID><PMID>14</PMID></DeleteCitation></PubmedArticleSet>"
        )
    )
    assert [item.where for item in found if isinstance(item, Rejected)] == [
        "reply, record 1",
        "reply, record 2",
        "reply",
    ]
    assert [item.doc_id for item in found if isinstance(item, Article)] == ["12"]
    assert isinstance(found[-1], Rejected)
    assert "13, 14" in found[-1].reason
