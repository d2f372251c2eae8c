"""Replies of the emulator: the shapes of the real ones, read by Biopython and by NLM's document type."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from Bio import Entrez
from lxml import etree

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.loading import read_jats, read_pubmed, split_records
from tests.emulators.eutils.server import EutilsServer


def ask(client: httpx.Client, tool: str, **parameters: str) -> bytes:
    reply = client.get(f"{tool}.fcgi", params={"db": "pubmed"} | parameters)
    assert reply.status_code == 200
    return reply.content


def read(client: httpx.Client, tool: str, **parameters: str) -> Any:
    return Entrez.read(io.BytesIO(ask(client, tool, **parameters)))


def names(xml: bytes) -> list[str]:
    """Names of the elements right below the root, in order, without repeats that follow each other."""
    found = [str(child.tag) for child in etree.fromstring(xml)]
    return [name for at, name in enumerate(found) if not at or found[at - 1] != name]


def first_lines(xml: bytes) -> str:
    return xml.split(b"<e", 1)[0].decode().replace("utf-8", "UTF-8")


def test_search_is_read_by_biopython(client: httpx.Client) -> None:
    reply = read(client, "esearch", term="the heart attack zzqx", usehistory="y")
    assert (reply["Count"], reply["RetMax"], list(reply["IdList"])) == ("1", "1", ["101"])
    assert reply["ErrorList"]["PhraseNotFound"] == ["zzqx"]
    assert reply["WarningList"]["PhraseIgnored"] == ["the"]
    assert reply["TranslationSet"][0]["From"] == "heart attack"
    assert reply["QueryKey"] == "1"


@pytest.mark.shared_data
def test_search_shapes_are_those_of_2025(client: httpx.Client, shared: Path) -> None:
    folder = shared / "data" / "eutils"
    for real, mine in [
        ("esearch/simple_20_of_63.xml", ask(client, "esearch", term="tremor[ti]")),
        ("esearch/usehistory_webenv_100.xml", ask(client, "esearch", term="heart attack", usehistory="y")),
        (
            "esearch/paged_retstart6_field_translation.xml",
            ask(client, "esearch", term="tremor", retstart="6"),
        ),
        ("errors/esearch_phrase_not_found_zero_hits.xml", ask(client, "esearch", term="abcXYZ")),
        ("errors/esearch_invalid_db.xml", ask(client, "esearch", term="a", db="fleegle")),
        ("errors/esummary_no_id.xml", ask(client, "esummary")),
        ("errors/einfo_invalid_db.xml", ask(client, "einfo", db="fleegle")),
        ("esummary/pubmed_v1_two_records.xml", ask(client, "esummary", id="101,102")),
        ("einfo/db_list.xml", client.get("einfo.fcgi").content),
        ("einfo/pubmed_fields.xml", ask(client, "einfo")),
        ("espell/corrected_query.xml", ask(client, "espell", term="tremorr")),
        ("epost/webenv.xml", ask(client, "epost", id="101")),
    ]:
        expected = (folder / real).read_bytes()
        assert names(mine) == names(expected), real
        assert first_lines(mine).split() == first_lines(expected).split(), real


@pytest.mark.shared_data
def test_errors_are_the_real_ones(client: httpx.Client, shared: Path) -> None:
    """Word for word, as far as they do not hold what was asked."""
    folder = shared / "data" / "eutils" / "errors"
    zero = ask(client, "esearch", term="abcXYZ")
    assert zero.split() == (folder / "esearch_phrase_not_found_zero_hits.xml").read_bytes().split()
    assert ask(client, "esummary").split() == (folder / "esummary_no_id.xml").read_bytes().split()
    empty = ask(client, "efetch", id="999")
    assert empty.split() == (folder / "efetch_pubmed_empty_set.xml").read_bytes().split()
    invalid = ask(client, "esearch", db="fleegle", term="a")
    assert invalid.split() == (folder / "esearch_invalid_db.xml").read_bytes().split()


@pytest.mark.shared_data
def test_summary_items_are_the_real_ones(client: httpx.Client, shared: Path) -> None:
    def items(xml: bytes) -> list[str]:
        document = etree.fromstring(xml).find("DocSum")
        assert document is not None
        return [item.get("Name") or "" for item in document.iterfind("Item")]

    real = (shared / "data" / "eutils" / "esummary" / "pubmed_v1_two_records.xml").read_bytes()
    assert items(ask(client, "esummary", id="101")) == items(real)


def test_search_in_json(client: httpx.Client) -> None:
    reply = json.loads(ask(client, "esearch", term="the gout zzqx", retmode="json"))
    assert reply["header"] == {"type": "esearch", "version": "0.3"}
    result = reply["esearchresult"]
    assert (result["count"], result["retmax"], result["idlist"]) == ("2", "2", ["102", "103"])
    assert result["errorlist"] == {"phrasesnotfound": ["zzqx"], "fieldsnotfound": []}
    assert result["warninglist"]["phrasesignored"] == ["the"]


def test_pages(client: httpx.Client) -> None:
    whole = read(client, "esearch", term="tremor", retmax="100")
    assert (whole["Count"], whole["RetMax"]) == ("25", "25")
    assert read(client, "esearch", term="tremor")["RetMax"] == "20"
    page = read(client, "esearch", term="tremor", retstart="20", retmax="10")
    assert (page["RetMax"], page["RetStart"]) == ("5", "20")
    assert list(page["IdList"]) == list(whole["IdList"])[20:]
    assert read(client, "esearch", term="tremor", retmax="0")["IdList"] == []
    assert read(client, "esearch", term="tremor", rettype="count")["Count"] == "25"


def test_ceiling(client: httpx.Client) -> None:
    clamped = read(client, "esearch", term="tremor", retmax="1000000")
    assert "9999" in clamped["WarningList"]["OutputMessage"][0]
    with pytest.raises(RuntimeError, match="cannot be larger than 9998"):
        read(client, "esearch", term="tremor", retstart="9999")
    body = ask(client, "esearch", term="tremor", retstart="9999", retmode="json").decode()
    with pytest.raises(json.JSONDecodeError):
        json.loads(body)  # a raw line break inside the string, as NCBI sends it
    assert "9998" in json.loads(body, strict=False)["esearchresult"]["ERROR"]


def test_empty_term(client: httpx.Client) -> None:
    for term in ("", "  "):
        with pytest.raises(RuntimeError, match="Empty term"):
            read(client, "esearch", term=term)


def test_date_limits(client: httpx.Client) -> None:
    both = read(client, "esearch", term="tremor", datetype="pdat", mindate="2005", maxdate="2007/06")
    assert both["Count"] == "3"
    assert both["QueryTranslation"].endswith(" AND 2005/01/01:2007/06/30[Date - Publication]")
    assert read(client, "esearch", term="tremor", mindate="2005")["Count"] == "25"  # one alone is nothing
    assert read(client, "esearch", term="tremor", mindate="", maxdate="")["Count"] == "25"
    assert read(client, "esearch", term="tremor", reldate="1", datetype="edat")["Count"] == "0"


def test_other_databases(client: httpx.Client) -> None:
    assert list(read(client, "esearch", db="pmc", term="aspirin OR gout")["IdList"]) == ["91"]
    assert list(read(client, "esearch", db="mesh", term='"heart attack"[MeSH Terms]')["IdList"]) == [
        "68009203"
    ]
    assert list(read(client, "esearch", db="mesh", term="infarction")["IdList"]) == ["68009203"]
    assert read(client, "esearch", db="mesh", term="Invented Heading[mh]")["Count"] == "0"
    heading = read(client, "esummary", db="mesh", id="68009203")[0]
    assert list(heading["DS_MeshTerms"]) == ["Myocardial Infarction", "Heart Attack"]


def test_history(client: httpx.Client) -> None:
    first = read(client, "esearch", term="gout", usehistory="y")
    webenv = first["WebEnv"]
    second = read(client, "esearch", term="#1 AND colchicine", usehistory="y", WebEnv=webenv)
    assert (second["WebEnv"], second["QueryKey"], list(second["IdList"])) == (webenv, "2", ["102"])
    fetched = read(client, "efetch", WebEnv=webenv, query_key="1", retstart="1", retmax="1")
    assert [str(one["MedlineCitation"]["PMID"]) for one in fetched["PubmedArticle"]] == ["103"]


def test_history_dies(client: httpx.Client, eutils: EutilsServer) -> None:
    webenv = read(client, "epost", id="101,102")["WebEnv"]
    good = client.get("efetch.fcgi", params={"db": "pubmed", "WebEnv": webenv, "query_key": "1"})
    assert good.status_code == 200
    eutils.history.forget()
    bad = client.get("efetch.fcgi", params={"db": "pubmed", "WebEnv": webenv, "query_key": "1"})
    assert bad.status_code == 400
    assert "<ERROR>Unable to obtain query #1</ERROR>" in bad.text


def test_records_are_valid(client: httpx.Client, document_type: etree.DTD) -> None:
    root = etree.fromstring(ask(client, "efetch", id="101,102,103,999,101"))
    assert document_type.validate(root), document_type.error_log
    assert [one.text for one in root.iterfind("PubmedArticle/MedlineCitation/PMID")] == ["101", "102", "103"]


def test_record_says_what_it_holds(client: httpx.Client) -> None:
    (article,) = read(client, "efetch", id="101")["PubmedArticle"]
    citation = article["MedlineCitation"]
    assert str(citation["Article"]["ArticleTitle"]) == "Aspirin in heart attack & <stroke>"
    texts = citation["Article"]["Abstract"]["AbstractText"]
    assert [(one.attributes["Label"], one.attributes["NlmCategory"]) for one in texts] == [
        ("METHODS", "METHODS"),
        ("CONCLUSION", "CONCLUSIONS"),
    ]
    assert [one.attributes["UI"] for one in citation["Article"]["PublicationTypeList"]] == [
        "D016428",
        "D016454",
    ]
    assert citation["CommentsCorrectionsList"][0].attributes["RefType"] == "ErratumIn"
    ids = {one.attributes["IdType"]: str(one) for one in article["PubmedData"]["ArticleIdList"]}
    assert ids == {"pubmed": "101", "pmc": "PMC91", "doi": "10.5555/101"}


def test_wrong_ids(client: httpx.Client) -> None:
    reply = client.get("efetch.fcgi", params={"db": "pubmed", "id": "0,x"})
    assert reply.status_code == 400
    assert "ID list is empty" in reply.text


def test_missing_summary(client: httpx.Client) -> None:
    assert b'uid="999">\n<error>cannot get document summary</error>' in ask(
        client, "esummary", id="101,999", version="2.0"
    )
    reply = json.loads(ask(client, "esummary", id="101,999", retmode="json"))["result"]
    assert reply["101"]["pubdate"] == "2020 Mar 9"
    assert reply["999"]["error"] == "cannot get document summary"


def test_full_texts(client: httpx.Client, eutils: EutilsServer) -> None:
    root = etree.fromstring(ask(client, "efetch", db="pmc", id="PMC91,92"))
    assert root.tag == "pmc-articleset"
    assert root.findtext("article/body/sec/p") == "It lowers mortality."
    missing = root.find("Reply")
    assert missing is not None
    assert missing.get("error") == "The following PMCID is not available: 92"
    eutils.corpus.block("PMC91")
    front = ask(client, "efetch", db="pmc", id="91")
    assert b"does not allow downloading of the full text" in front
    assert b"<front>" in front
    assert etree.fromstring(front).find("article/body") is None


def test_spelling(client: httpx.Client) -> None:
    reply = read(client, "espell", term="colchicin for tremmor")
    assert reply["CorrectedQuery"] == "colchicine for tremor"
    assert list(reply["SpelledQuery"]) == ["", "colchicine", " for ", "tremor"]
    assert read(client, "espell", term="gout tremor zzzzqqq")["CorrectedQuery"] == ""


@pytest.mark.shared_data
def test_real_records_are_served_byte_for_byte(shared: Path, document_type: etree.DTD) -> None:
    files = sorted((shared / "data" / "eutils" / "efetch_pubmed").glob("*.xml"))
    raw = [record for path in files for record in split_records(path.read_bytes())]
    corpus = Corpus(record for path in files for record in read_pubmed(path.read_bytes()))
    assert len(corpus) >= 45
    with EutilsServer(corpus) as server, httpx.Client(base_url=server.base_url) as client:
        served = ask(client, "efetch", id=",".join(record.pmid for record in corpus.records))
        assert all(record in served for record in raw)
        valid = [record.pmid for record in corpus.records if b"IndexingMethod" in record.raw]
        corpus.retract(*valid, notice="993")
        marked = etree.fromstring(ask(client, "efetch", id=",".join(valid)))
        assert document_type.validate(marked), document_type.error_log
        assert len(marked.findall(".//CommentsCorrections[@RefType='RetractionIn']")) >= len(valid)
        found = read(client, "esearch", term="retracted publication[pt]", retmax="100")
        assert set(valid) | {"993"} <= set(found["IdList"])


@pytest.mark.shared_data
def test_real_records_are_understood(shared: Path) -> None:
    """The emulator's reading against values that another parser took from the same files."""
    folder = shared / "data" / "eutils"
    rows = [json.loads(line) for line in (folder / "expected.jsonl").read_text("utf-8").splitlines()]
    records = {
        record.pmid: record
        for path in (folder / "efetch_pubmed").glob("*.xml")
        for record in read_pubmed(path.read_bytes())
    }
    checked = 0
    for row in rows:
        if row["kind"] != "article" or row["file"].split("/")[0] != "efetch_pubmed":
            continue
        record = records[row["pmid"]]
        assert list(record.types) == row["pub_types"]
        assert bool(record.abstract) == row["has_abstract"]
        assert record.pmcid == (row["pmcid"] or "")
        assert {heading.name for heading in record.mesh} == set(row["mesh"])
        assert record.published[:1] == ((row["year"],) if row["year"] else ())
        checked += 1
    assert checked >= 40


@pytest.mark.shared_data
def test_real_articles_are_found_by_their_pmcid(shared: Path) -> None:
    folder = shared / "data" / "eutils" / "efetch_pmc"
    found = [one for path in sorted(folder.iterdir()) for one in read_jats(path.read_bytes())]
    assert len(found) == 6
    assert all(raw.startswith(b"<article") for _, _, raw in found)
    assert ("PMC8435807", "34527728") in [(pmcid, record and record.pmid) for pmcid, record, _ in found]


@pytest.mark.shared_data
def test_field_cases_can_be_served(shared: Path) -> None:
    """F12 and F13: records of every standing, and a full text that is none."""
    inputs = shared / "cases" / "inputs"
    corpus = Corpus(
        read_pubmed((inputs / "F12_standing.xml").read_bytes()),
        full_texts={
            pmcid: raw
            for path in inputs.glob("F13_pmc_*.xml")
            for pmcid, _, raw in read_jats(path.read_bytes())
        },
    )
    with EutilsServer(corpus) as server, httpx.Client(base_url=server.base_url) as client:
        found = read(client, "esearch", term="green tea stroke", retmax="50")
        assert {"90001201", "90001202"} <= set(found["IdList"])
        retracted = read(client, "esearch", term='green tea AND "retracted publication"[pt]')
        assert "90001201" in retracted["IdList"]
        front = etree.fromstring(ask(client, "efetch", db="pmc", id="9900131"))
        assert front.find("article/front") is not None
        assert front.find("article/body") is None
