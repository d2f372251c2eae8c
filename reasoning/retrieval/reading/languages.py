"""Language codes: PubMed prints ISO 639-2 (`ger`), texts carry ISO 639-1 (`de`)."""

from __future__ import annotations

import re

_PAIRS = (
    "afr af alb sq amh am ara ar arm hy aze az bos bs bul bg cat ca chi zh cze cs dan da dut nl eng en "
    "epo eo est et fin fi fre fr geo ka ger de glg gl gre el heb he hin hi hrv hr hun hu ice is ind id "
    "ita it jpn ja kin rw kor ko lat la lav lv lit lt mac mk mal ml mao mi may ms nor no per fa pol pl "
    "por pt pus ps rum ro rus ru san sa slo sk slv sl spa es srp sr swe sv tha th tur tr ukr uk urd ur "
    "vie vi wel cy"
)
_SHORT: dict[str, str] = dict(re.findall(r"(\w{3}) (\w{2})", _PAIRS))


def short_code(code: str | None) -> str:
    """ISO 639-1 for a code or tag (`ger`, `de`, `de-AT`); one without a short form stays; none is `en`."""
    first = (code or "").strip().lower().replace("_", "-").partition("-")[0]
    return _SHORT.get(first, first) or "en"
