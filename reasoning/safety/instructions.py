"""Sentences that tell a model what to do, taken out of what it is given to read (methods 6, row 17).

Patterns are in `config/lexicons/instructions.toml`. A sentence is looked at as written, and as it reads once
simple hiding is undone: digits for letters, letters set apart, base64, rot13, backwards (our choice).
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from config.resources import read_toml
from reasoning.retrieval.segmentation import split_sentences
from reasoning.safety.folding import fold, without_invisible
from reasoning.safety.turns import opens_turn

OMITTED = "[…]"  # what stands where a sentence was taken out
_LONGEST = 2_000  # characters of one sentence that are looked at together; longer ones in overlapping parts

_LEET = str.maketrans("01345789@$!|", "oieasTbgasil".lower())
_MIXED_WORD = re.compile(r"(?<!\w)(?=[\w@$!|]*[a-z])(?=[\w@$!|]*[01345789@$!|])[a-z01345789@$!|]{3,}(?!\w)")
_SPACED = re.compile(r"(?<!\w)(?:\w[ ._*-]{1,3}){5,}\w(?!\w)")
_GAPS = re.compile(r"([ ._*-])\1+|[ ._*-]")
_LETTERS_ONLY = re.compile(r"[ ._*-]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_TELLTALE = re.compile(r"ignor|instruc|prompt|system|previous|reply|assistant|reveal|指令|提示|anterior|忽略")
_CJK = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=20_000)  # passages of a corpus come again and again
def is_instruction(sentence: str) -> bool:
    """Whether a sentence speaks to an assistant or model, in English, Chinese, Spanish, German or French.

    One that opens a turn of a chat (`<|im_start|>`, `Human:`) does, whatever it says.
    """
    return (
        opens_turn(sentence)
        or _spells_out(sentence)
        or any(_commands(reading) for reading in _readings(sentence))
    )


def without_instructions(text: str, marker: str = OMITTED) -> str:
    """The text with each instruction replaced by `marker`; what goes on from one in its paragraph goes too.

    All else stays as it is, character by character. Idempotent; never raises.
    """
    pieces = [text[span.start : span.end] for span in split_sentences(text)]
    instructs = which_instruct(pieces)
    if True not in instructs:
        return text
    kept: list[str] = []
    gone = False
    for piece, dropped in zip(pieces, instructs, strict=True):
        body = piece.strip()
        before, after = piece[: piece.index(body)], piece[len(piece.rstrip()) :]
        if not dropped:
            kept.append(piece)
        else:
            kept.append(after.lstrip(" ") if gone else before + marker + after)
        gone = dropped
    return "".join(kept)


def which_instruct(sentences: Sequence[str]) -> list[bool]:
    """Of sentences in their order, those that are instructions or go on from one in the same paragraph."""
    found: list[bool] = []
    following = False
    for sentence in sentences:
        body = sentence.strip()
        instructs = is_instruction(body) or (following and _follows(body))
        found.append(instructs)
        following = instructs and "\n\n" not in sentence
    return found


def _follows(sentence: str) -> bool:
    folded = fold(without_invisible(sentence)).text
    return any(pattern.search(folded) for pattern in _patterns("follow", bool(_CJK.search(folded))))


def _commands(folded: str) -> bool:
    patterns = _patterns("strong", bool(_CJK.search(folded)))
    parts = [folded[at : at + _LONGEST] for at in range(0, len(folded), _LONGEST - 300)]
    return any(pattern.search(part) for part in parts for pattern in patterns)


@cache
def _patterns(strength: str, cjk: bool) -> tuple[re.Pattern[str], ...]:
    """The Chinese ones only where there are Chinese characters."""
    return tuple(
        re.compile(pattern.replace("{go}", language["go"]))
        for name, language in read_toml("lexicons/instructions.toml").items()
        if cjk or name != "zh"
        for pattern in language.get(strength, ())
    )


def _spells_out(sentence: str) -> bool:
    """Letters set apart, gaps between words lost: nobody writes a telltale word so by accident."""
    folded = fold(without_invisible(sentence)).text
    return any(_TELLTALE.search(_LETTERS_ONLY.sub("", run[0])) for run in _SPACED.finditer(folded))


def _readings(sentence: str) -> Iterator[str]:
    """The sentence folded, then what it hides, where it hides something."""
    seen = without_invisible(sentence)
    folded = fold(seen).text
    yield folded
    plain = _SPACED.sub(lambda match: _close_up(match[0]), folded)
    plain = _MIXED_WORD.sub(lambda match: match[0].translate(_LEET), plain)
    if plain != folded:
        yield plain
    for hidden in (codecs.encode(folded, "rot13"), folded[::-1], *_decoded(seen)):
        if _TELLTALE.search(hidden):
            yield hidden


def _close_up(spaced: str) -> str:
    """`i g n o r e   a l l` as "ignore all": a longer gap is one between words."""
    return _GAPS.sub(lambda gap: " " if len(gap[0]) > 1 else "", spaced)


def _decoded(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        packed = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        packed = packed[: len(packed) - (len(packed) % 4 == 1)]
        try:
            raw = base64.b64decode(packed + "=" * (-len(packed) % 4))
            yield fold(raw.decode("utf-8")).text
        except (binascii.Error, UnicodeDecodeError):
            continue
