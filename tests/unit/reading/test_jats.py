"""Full texts (case F13)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reasoning.retrieval.reading import (
    Article,
    BadIdentifier,
    Rejected,
    normalise_pmcid,
    normalise_pmid,
    read_jats,
)
from storage.documents import DocClass, PublicationType, SectionKind, Standing

Read = Callable[..., Article]


def body_text(article: Article) -> str:
    return "\n".join(section.text for section in article.sections if section.kind is SectionKind.BODY)


def units(article: Article) -> list[tuple[str, str | None, str]]:
    return [(section.kind.value, section.label, section.text) for section in article.sections]


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ('rose<sup><b>12</b></sup> and', "rose and"),
        ('by 5<b>3</b> points', "by 5 points"),
        ('by 5<b>3</b>7', "by 5 7"),
        ('rose [<b>3</b>,<b>4</b>–<b>6</b>].', "rose."),
        ('rose <b>[3]</b>, <b>[4]</b>, then', "rose, then"),
        ('rose (<b>3</b>, <xref ref-type="table">Table 1</xref>)', "rose (Table 1)"),
        ('rose (<xref ref-type="table">Table 1</xref>, <b>3</b>)', "rose (Table 1)"),
        ('see <b>Smith et al. (2010)</b>', "see Smith et al. (2010)"),
        ('(<b>Smith, 2010</b>; <b>2011</b>)', "(Smith, 2010; 2011)"),
        ('m<sup>2</sup><sup><b>7</b></sup> of', "m^2 of"),
        ('0.05<sup><xref ref-type="table-fn">a</xref></sup> in', "0.05 in"),
        ("10<sup>9</sup>/L", "10^9/L"),
        ('x <inline-formula><alternatives><tex-math>\\begin{document}$$x^2$$\\end{document}</tex-math>'
         "<graphic/></alternatives></inline-formula> y", "x x^2 y"),
        ("a<fn><p>A note.</p></fn> b", "a (A note.) b"),
    ],
)  # fmt: skip
def test_marks_never_touch_a_word_or_number(read_full_text: Read, printed: str, expected: str) -> None:
    xml = printed.replace("<b>", '<xref ref-type="bibr">').replace("</b>", "</xref>")
    assert body_text(read_full_text(f"<body><sec><title>T</title><p>{xml}</p></sec></body>")) == expected


def test_sections_are_top_level_and_nested_titles_are_lines(read_full_text: Read) -> None:
    article = read_full_text(
        "<body><p>Loose.</p><sec><title>Harm</title><p>One.</p><sec><title>Dose</title><p>Two.</p></sec>"
        "<sec><title>Files</title><supplementary-material><p>x</p></supplementary-material></sec></sec>"
        "</body>"
    )
    assert units(article) == [("body", None, "Loose."), ("body", "Harm", "One.\n\nDose\n\nTwo.")]


def test_lists_and_quotes_inside_a_paragraph_are_kept_in_order(read_full_text: Read) -> None:
    article = read_full_text(
        "<body><sec><p>Before:<list><list-item><p>one</p></list-item><list-item><p>two</p><list><list-item>"
        "<p>deep</p></list-item></list></list-item></list>after.</p><disp-quote><p>Said.</p></disp-quote>"
        "<def-list><def-item><term>CI</term><def><p>interval</p></def></def-item></def-list></sec></body>"
    )
    assert body_text(article) == "Before:\n\n- one\n- two\n- deep\n\nafter.\n\nSaid.\n\nCI: interval"


def test_tables_are_rows_and_cells_wherever_they_stand(read_full_text: Read) -> None:
    table = (
        "<table-wrap><label>Table 1.</label><caption><title>Doses</title><p>By week</p></caption>"
        '<table><thead><tr><th rowspan="2">Dose</th><th colspan="2">Upset</th></tr><tr><th>yes</th>'
        "<th>no</th></tr>"
        '</thead><tbody><tr><td>60 mg</td><td>4<sup><xref ref-type="table-fn">a</xref></sup></td>'
        "<td>50</td></tr>"
        "</tbody></table><table-wrap-foot><fn><label>a</label><p>After a year.</p></fn></table-wrap-foot>"
        "</table-wrap>"
    )
    article = read_full_text(
        f"<body><sec><title>R</title><p>See here.{table} Then on.</p></sec></body>",
        after="<floats-group><fig><label>Figure 2</label><caption><p>Flow.</p></caption></fig><fig>"
        "<graphic/></fig>"
        "</floats-group>",
    )
    rows = "Doses By week\nDose | Upset | \nDose | yes | no\n60 mg | 4 | 50\na: After a year."
    assert units(article) == [
        ("body", "R", "See here. Then on."),
        ("table", "Table 1", rows),
        ("figure", "Figure 2", "Flow."),
    ]


@pytest.mark.parametrize("span", ["1000000000", "-1", "x", "9" * 5000])
def test_absurd_spans_do_no_harm(read_full_text: Read, span: str) -> None:
    table = f'<table-wrap><table><tr><td colspan="{span}" rowspan="{span}">a</td></tr></table></table-wrap>'
    article = read_full_text(f"<body><sec><p>x</p>{table}</sec></body>")
    assert len(article.sections[1].text) < 1000


def test_only_the_articles_own_body_is_read(read_full_text: Read) -> None:
    article = read_full_text(
        "<body><sec><p>Own.</p></sec></body>",
        after="<back><ack><p>Thanks.</p></ack><ref-list><ref><mixed-citation>Old trial.</mixed-citation>"
        "</ref></ref-list>"
        "</back><sub-article><front-stub/><body><p>Reviewer.</p></body></sub-article><response><body>"
        "<p>Reply.</p>"
        "</body></response>",
    )
    assert units(article) == [("body", None, "Own.")]


@pytest.mark.parametrize("body", ["", "<body/>", "<body><sec><title>Only a title</title></sec></body>"])
def test_without_text_in_the_body_the_abstract_is_all(read_full_text: Read, body: str) -> None:
    article = read_full_text(body, meta="<abstract><p>Short.</p></abstract>", kind="review-article")
    assert (article.full_text, article.doc_class) == (False, DocClass.D1)
    assert units(article) == [("abstract", None, "Short.")]


@pytest.mark.parametrize(
    ("kind", "heading", "expected"),
    [
        ("review-article", "", DocClass.D2),
        ("research-article", "Research", DocClass.D3),
        ("research-article", "Systematic Reviews", DocClass.D2),
        ("other", "Practice Guideline", DocClass.D2),
    ],
)
def test_reviews_and_guidelines_are_told_from_other_articles(
    read_full_text: Read, kind: str, heading: str, expected: DocClass
) -> None:
    subject = f"<subj-group subj-group-type='heading'><subject>{heading}</subject></subj-group>"
    article = read_full_text(
        "<body><sec><p>x</p></sec></body>",
        kind=kind,
        meta=f"<article-categories>{subject}</article-categories>",
    )
    assert article.full_text
    assert article.doc_class is expected


def test_front_matter(read_full_text: Read) -> None:
    article = read_full_text(
        meta='<article-id pub-id-type="pmid">70000001</article-id>'
        '<article-id pub-id-type="doi">10.5555/x</article-id>'
        '<title-group><article-title>Warm <italic>feet</italic><xref ref-type="fn">*</xref></article-title>'
        "<subtitle>a trial</subtitle></title-group>"
        '<contrib-group><contrib contrib-type="author"><name><surname>Example</surname>'
        "<given-names>Ada B</given-names>"
        '</name><xref ref-type="aff">1</xref></contrib><contrib contrib-type="author">'
        "<collab>SOCKS Group<contrib-group>"
        "<contrib><name><surname>Member</surname></name></contrib></contrib-group></collab></contrib>"
        '<contrib contrib-type="editor"><name><surname>Editor</surname></name></contrib></contrib-group>'
        '<pub-date pub-type="pmc-release"><year>2022</year></pub-date><pub-date pub-type="epub"><day>3</day>'
        '<month>9</month><year>2020</year></pub-date><pub-date pub-type="collection"><year>2021</year>'
        "</pub-date>"
        '<permissions><license xlink:href="https://creativecommons.org/licenses/by-nc/4.0/"><license-p>Data: '
        '<ext-link xlink:href="https://creativecommons.org/publicdomain/zero/1.0/">CC0</ext-link>'
        "</license-p></license>"
        "</permissions><abstract><title>Abstract</title><sec><title>Aim:</title><p>To warm.</p></sec>"
        "</abstract>"
        '<abstract abstract-type="teaser"><p>Buy!</p></abstract>'
        '<trans-abstract xml:lang="de"><p>Kurz.</p></trans-abstract><kwd-group><kwd>feet</kwd></kwd-group>'
    )
    assert (article.doc_id, article.pmcid, article.pmid, article.doi) == (
        "PMC7000001",
        "PMC7000001",
        "70000001",
        "10.5555/x",
    )
    assert article.title == "Warm feet: a trial"
    assert article.authors == ("Example AB", "SOCKS Group")
    assert (str(article.issue_date), str(article.online_date)) == ("2021", "2020-09-03")
    assert article.licence == "CC BY-NC 4.0"
    assert units(article) == [("abstract", "Aim", "To warm.")]
    assert [(part.language, part.text) for part in article.other_abstracts] == [("de", "Kurz.")]
    assert article.keywords == ("feet",)
    assert article.url == "https://pmc.ncbi.nlm.nih.gov/articles/PMC7000001/"


@pytest.mark.parametrize(
    ("kind", "related", "expected"),
    [
        ("retraction", "retracted-article", Standing.RETRACTION_NOTICE),
        ("research-article", "retraction-forward", Standing.RETRACTED),
        ("research-article", "correction-forward", Standing.CORRECTED),
        ("correction", "corrected-article", Standing.OK),
    ],
)
def test_standing_of_full_texts(read_full_text: Read, kind: str, related: str, expected: Standing) -> None:
    link = f'<related-article related-article-type="{related}" ext-link-type="pmid" xlink:href="70000009"/>'
    assert read_full_text(kind=kind, meta=link).standing is expected


def test_a_set_with_a_namespace_and_an_article_without_ids() -> None:
    xml = (
        "<pmc-articleset>"
        '<article xmlns="https://jats.nlm.nih.gov/ns/archiving/1.4/" article-type="review-article"><front>'
        '<article-meta><article-id pub-id-type="pmcid">PMC5</article-id></article-meta></front><body>'
        "<sec><title>A</title>"
        "<p>B<xref ref-type='bibr'>1</xref></p></sec></body></article><article><front><article-meta/>"
        "</front></article>"
        "<article/></pmc-articleset>"
    )
    good, *bad = read_jats(xml.encode())
    assert isinstance(good, Article)
    assert units(good) == [("body", "A", "B")]
    assert good.publication_types == (PublicationType("Review", "D016454"),)
    assert [type(item) for item in bad] == [Rejected, Rejected]


@pytest.mark.parametrize(
    ("given", "expected"),
    [("9900132", "PMC9900132"), ("pmc9900132", "PMC9900132"), (" PMC9900132.2 ", "PMC9900132")],
)
def test_a_pmcid_always_has_its_prefix(given: str, expected: str) -> None:
    assert normalise_pmcid(given) == expected


@pytest.mark.parametrize("given", ["PMC9900132", "pmc9900132", "", "12a", "1234567890", "0"])
def test_what_is_no_pmid_is_refused(given: str) -> None:
    with pytest.raises(BadIdentifier):
        normalise_pmid(given)


def test_the_refusal_of_a_pmcid_says_why() -> None:
    with pytest.raises(BadIdentifier, match="PMC9900132 is a PMCID"):
        normalise_pmid("PMC9900132")
    with pytest.raises(BadIdentifier, match="is a PMID"):
        normalise_pmcid("PMID: 12")
    assert normalise_pmid("PMID: 12") == "12"
