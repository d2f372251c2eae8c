"""A record as a PubmedArticle element, valid by the document type of January 2025."""

from __future__ import annotations

from html import escape
from xml.sax.saxutils import quoteattr

from tests.emulators.eutils.records import MONTHS, TYPE_UIS, Date, Record
from tests.emulators.eutils.replies import tag

_CATEGORIES = ("BACKGROUND", "OBJECTIVE", "METHODS", "RESULTS", "CONCLUSIONS")
_UNKNOWN_DATE = "Date not known"  # a MedlineDate is free text; the document type wants one or a year


def clean(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return "".join(char for char in text if char in "\t\n" or (char >= " " and char not in "\ufffe\uffff"))


def render(record: Record) -> str:
    """The element; a record's own XML is served instead where there is one."""
    ids = [("pubmed", record.pmid), ("pmc", record.pmcid), ("doi", record.doi)]
    listed = "".join(f'<ArticleId IdType="{kind}">{escape(text)}</ArticleId>' for kind, text in ids if text)
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{record.pmid}</PMID>'
        f"{_article(record)}"
        f"<MedlineJournalInfo>{tag('MedlineTA', clean(record.journal_short or record.journal))}"
        f"</MedlineJournalInfo>{_chemicals(record)}<CitationSubset>IM</CitationSubset>"
        f"{_links(record)}{_mesh(record)}{_keywords(record)}</MedlineCitation>"
        f"<PubmedData>{_history(record.entered)}<PublicationStatus>ppublish</PublicationStatus>"
        f"<ArticleIdList>{listed}</ArticleIdList></PubmedData></PubmedArticle>"
    )


def _article(record: Record) -> str:
    issue = "".join(
        tag(name, clean(text)) for name, text in (("Volume", record.volume), ("Issue", record.issue)) if text
    )
    # pages or an electronic location must be there, so pages are, if empty
    pages = f"<Pagination>{tag('MedlinePgn', clean(record.pages))}</Pagination>"
    doi = f'<ELocationID EIdType="doi" ValidYN="Y">{escape(record.doi)}</ELocationID>' if record.doi else ""
    authors = "".join(
        f'<Author ValidYN="Y">{tag("LastName", clean(author.last))}'
        f"{tag('Initials', author.initials) if author.initials else ''}</Author>"
        for author in record.authors
    )
    listed = f'<AuthorList CompleteYN="Y">{authors}</AuthorList>' if authors else ""
    types = "".join(
        f"<PublicationType UI={quoteattr(TYPE_UIS.get(name, ''))}>{escape(clean(name), quote=False)}"
        "</PublicationType>"
        for name in record.types
    )
    return (
        f'<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet">{issue}'
        f"<PubDate>{_pub_date(record.published)}</PubDate></JournalIssue>"
        f"{tag('Title', clean(record.journal))}</Journal>"
        f"{tag('ArticleTitle', clean(record.title))}{pages}{doi}{_abstract(record)}"
        f"{listed}"
        f"{tag('Language', record.language)}<PublicationTypeList>{types}</PublicationTypeList></Article>"
    )


def _pub_date(published: Date) -> str:
    if not published:
        return tag("MedlineDate", _UNKNOWN_DATE)
    year, *rest = published
    month = tag("Month", MONTHS[rest[0] - 1]) if rest else ""
    day = tag("Day", f"{rest[1]:02d}") if len(rest) > 1 else ""
    return tag("Year", year) + month + day


def _abstract(record: Record) -> str:
    if not record.abstract:
        return ""
    parts = []
    for part in record.abstract:
        label = clean(part.label)
        category = next((name for name in _CATEGORIES if label.upper().startswith(name[:6])), "UNASSIGNED")
        named = f' Label={quoteattr(label)} NlmCategory="{category}"' if label else ""
        parts.append(f"<AbstractText{named}>{escape(clean(part.text), quote=False)}</AbstractText>")
    return f"<Abstract>{''.join(parts)}</Abstract>"


def _chemicals(record: Record) -> str:
    listed = "".join(
        f'<Chemical><RegistryNumber>0</RegistryNumber><NameOfSubstance UI="">{escape(clean(name))}'
        "</NameOfSubstance></Chemical>"
        for name in record.substances
    )
    return f"<ChemicalList>{listed}</ChemicalList>" if listed else ""


def _links(record: Record) -> str:
    listed = ""
    for link in record.links:
        pmid = f'<PMID Version="1">{link.pmid}</PMID>' if link.pmid else ""
        source = tag("RefSource", clean(link.source))
        listed += f'<CommentsCorrections RefType="{link.kind}">{source}{pmid}</CommentsCorrections>'
    return f"<CommentsCorrectionsList>{listed}</CommentsCorrectionsList>" if listed else ""


def _mesh(record: Record) -> str:
    def yes(major: bool) -> str:
        return "Y" if major else "N"

    listed = "".join(
        f'<MeshHeading><DescriptorName UI="" MajorTopicYN="{yes(heading.major and not heading.qualifiers)}">'
        f"{escape(clean(heading.name), quote=False)}</DescriptorName>"
        + "".join(
            f'<QualifierName UI="" MajorTopicYN="{yes(heading.major)}">{escape(clean(name), quote=False)}'
            "</QualifierName>"
            for name in heading.qualifiers
        )
        + "</MeshHeading>"
        for heading in record.mesh
    )
    return f"<MeshHeadingList>{listed}</MeshHeadingList>" if listed else ""


def _keywords(record: Record) -> str:
    listed = "".join(
        f'<Keyword MajorTopicYN="N">{escape(clean(word), quote=False)}</Keyword>' for word in record.keywords
    )
    return f'<KeywordList Owner="NOTNLM">{listed}</KeywordList>' if listed else ""


def _history(entered: Date) -> str:
    if not entered:
        return ""
    year, month, day = (*entered, *(1, 1, 1)[len(entered) :])
    dated = f"<Year>{year}</Year><Month>{month}</Month><Day>{day}</Day>"
    return f'<History><PubMedPubDate PubStatus="entrez">{dated}</PubMedPubDate></History>'
