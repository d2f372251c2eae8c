"""Notes as people write them, made from parts: the details that must go, the facts that must stay.

All names and numbers are made up; checksums are those of the real schemes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from stdnum import luhn
from stdnum.cn import ric
from stdnum.es import dni

_FIRST = ["Tamsin", "Orrin", "Maribel", "Desmond", "Yolanda", "Piers", "Ingrid", "Caleb"]
_LAST = ["Quillfeather", "Marchbanks", "Ostrander", "Velasquez", "Thornbury", "Okonkwo", "Lindqvist"]
_CLINICAL = """500 mg twice a day|BP 140/90|39.5|10^9/L|1.73 m²|HbA1c 7.2 %|stage 3|CD4 350|PMID 31234567
BRCA1|Parkinson|Hodgkin lymphoma|Crohn|eGFR 45 mL/min/1.73 m2|LDL 100-129 mg/dL|in 2019|INR 2.0-3.0
95% CI 1.23-4.56|p=0.0012345|metformin|T2N1M0|HLA-B27|FEV1/FVC 0.70|rs1801133|platelets 150,000
every 4-6 hours|45 years old|vitamin B12|NCT01234567|EC 3.4.21.4|1 234 567 patients|n = 1234567
100000 IU|ICD-10 C50.911
12 345 678 cells""".replace("\n", "|").split("|")


@dataclass(frozen=True, slots=True)
class Note:
    """`details` must not be found in the masked text, `facts` must."""

    text: str
    details: tuple[tuple[str, str], ...]  # kind, text
    facts: tuple[str, ...]


def make_note(seed: int) -> Note:
    """One note: three to five sentences with a detail each, and as many clinical facts between them."""
    chance = random.Random(seed)
    kinds = chance.sample(sorted(_MAKERS), chance.randint(3, 5))
    parts, details, facts = [], [], chance.sample(_CLINICAL, len(kinds))
    for kind, fact in zip(kinds, facts, strict=True):
        frame, detail = _MAKERS[kind](chance)
        parts += [frame.format(detail), f"The chart says {fact} today."]
        details.append((kind, detail))
    return Note(" ".join(parts), tuple(details), tuple(facts))


def _digits(chance: random.Random, count: int) -> str:
    return "".join(str(chance.randint(0, 9)) for _ in range(count))


def _name(chance: random.Random) -> tuple[str, str]:
    name = f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"
    if chance.random() < 0.2:
        frame = chance.choice(["我叫{}，今年五十岁。", "姓名：{}。"])
        return frame, chance.choice(["王小明", "李建国", "陈美玲"])
    if chance.random() < 0.15:
        return "my name is {}, and i feel ill.", name.lower()
    frames = """My name is {}.|I am Dr. {}.|Mrs {} has a fever.|We saw patient {} again.|Me llamo {}.|I'm {}.
Ich heiße {}.|Je m'appelle {}.|Patient name: {}.|My daughter {} is ill.|Mein Name ist {}.|Mi nombre es {}.
Herr {} hat Fieber.|Please call Mr. {} back."""
    return chance.choice(frames.replace("\n", "|").split("|")), name


def _phone(chance: random.Random) -> tuple[str, str]:
    end = _digits(chance, 4)
    pairs = f"{end[:2]} {end[2:]}"
    shapes = [
        *(
            f"+1 (415) 555-{end}",
            f"212-555-{end}",
            f"(646) 555-{end}",
            f"+44 20 7946 {end}",
            f"020 7946 {end}",
        ),
        *(f"138{_digits(chance, 4)}{end}", f"139 {_digits(chance, 4)} {end}", f"+34 612 34 {pairs}"),
        *(f"010-8{_digits(chance, 3)}{end}", f"+49 30 12{end}", f"06 12 34 {pairs}", f"212.555.{end}"),
    ]
    frames = ["Call me at {}.", "My phone is {}.", "Tel: {}.", "电话：{}。", "Reach her on {} after six."]
    return chance.choice(frames), chance.choice(shapes)


def _email(chance: random.Random) -> tuple[str, str]:
    who = f"{chance.choice(_FIRST)}.{chance.choice(_LAST)}{_digits(chance, 2)}".lower()
    return "Write to {} for the results.", f"{who}@{chance.choice(['mail.example', 'clinic.example.org'])}"


def _id(chance: random.Random) -> tuple[str, str]:
    born = f"{chance.randint(1940, 2005)}{chance.randint(1, 12):02d}{chance.randint(1, 28):02d}"
    chinese = f"110105{born}{_digits(chance, 3)}"
    chinese += ric.calc_check_digit(chinese)
    spanish = _digits(chance, 8)
    spanish += dni.calc_check_digit(spanish)
    options = [
        ("SSN {}.", f"{_digits(chance, 3)}-{_digits(chance, 2)}-{_digits(chance, 4)}"),
        ("Her NHS number is {}.", f"{_digits(chance, 3)} {_digits(chance, 3)} {_digits(chance, 4)}"),
        ("身份证{}。", chinese),
        ("The identity card says {} here.", chinese),
        ("DNI {}.", spanish),
        ("Her letter shows {} on top.", spanish),
        ("Passport number {}.", f"X{_digits(chance, 8)}"),
        ("Insurance ID: {}.", f"AB{_digits(chance, 7)}"),
        ("NIE {}.", f"X{_digits(chance, 7)}L"),
    ]
    return chance.choice(options)


def _record(chance: random.Random) -> tuple[str, str]:
    frames = ["MRN: {}.", "Medical record number {}.", "Patient ID {}.", "病历号：{}。", "Hospital no. {}."]
    shapes = [_digits(chance, 7), f"A{_digits(chance, 6)}", f"{_digits(chance, 4)}-{_digits(chance, 4)}"]
    return chance.choice([*frames, "Historia clínica {}."]), chance.choice(shapes)


def _date(chance: random.Random) -> tuple[str, str]:
    day, month, year = chance.randint(10, 28), chance.randint(1, 12), chance.randint(1935, 2015)
    written = [
        *(
            f"{month:02d}/{day}/{year}",
            f"{year}-{month:02d}-{day}",
            f"March {day}, {year}",
            f"{day} August {year}",
        ),
        *(
            f"{day} de mayo de {year}",
            f"{year}年{month}月{day}日",
            f"{day}.{month}.{year}",
            f"{day}. März {year}",
        ),
    ]
    frames = ["DOB {}.", "Born on {}.", "Seen on {} at the clinic.", "Date of birth: {}.", "出生日期：{}。"]
    return chance.choice(frames), chance.choice(written)


def _address(chance: random.Random) -> tuple[str, str]:
    n = chance.randint(11, 980)
    places = [
        *(f"{n} Maple Street", f"{n} North Elm Avenue, Apt {n % 9 + 1}", f"Calle Mayor {n}", f"P.O. Box {n}"),
        *(f"Gartenstraße {n}", f"{n} rue de la Paix", f"朝阳区建国路{n}号"),
    ]
    return chance.choice(["I live at {}.", "Home address: {}.", "Send it to {}."]), chance.choice(places)


def _postcode(chance: random.Random) -> tuple[str, str]:
    digits = _digits(chance, 4)
    return chance.choice(
        [("ZIP {}.", f"0{digits}"), ("Postcode {}.", "SW1A 1AA"), ("邮编{}。", f"10{digits}")]
    )


def _card(chance: random.Random) -> tuple[str, str]:
    start = "4" + _digits(chance, 14)
    number = start + luhn.calc_check_digit(start)
    spaced = " ".join(number[at : at + 4] for at in range(0, 16, 4))
    return "My card {} was charged.", chance.choice([number, spaced])


def _online(chance: random.Random) -> tuple[str, str]:
    who = f"{chance.choice(_FIRST).lower()}{_digits(chance, 3)}"
    options = [
        ("My handle is {} there.", f"@{who}"),
        ("Telegram: {}.", who),
        ("Write to {} on Slack.", f"<@U0{_digits(chance, 8)}>"),
        ("See {} for it.", f"https://portal.example/patients/{who}"),
        ("From {} again.", f"192.168.{chance.randint(0, 255)}.7"),
    ]
    return chance.choice(options)


_MAKERS = {
    "name": _name,
    "phone": _phone,
    "email": _email,
    "id": _id,
    "record": _record,
    "date": _date,
    "address": _address,
    "postcode": _postcode,
    "card": _card,
    "online": _online,
}
