"""What stands in a template's slots: labelled values, and fillers that are no personal data."""

import ipaddress
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final
from uuid import UUID

from lawful.infra.corpus.numbers import NUMBERS

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_FOLD: Final = str.maketrans("äöüßáéíóúñçèêëâîôûàïøıışğÄÖÜÁÉÍÓÚÑÇÉÅåŞ", "aousaeiounceeeaiouaioiisgAOUAEIOUNCEAaS")


@dataclass(frozen=True, slots=True)
class Pools:
    """The words of one language in one part of the corpus."""

    language: str
    words: Mapping[str, Sequence[str]]


def value(kind: str, dice: Random, pools: Pools) -> str:
    """A value of a labelled kind."""
    if kind in NUMBERS:
        return NUMBERS[kind](dice)
    return _MAKERS[kind](dice, pools) if kind in _MAKERS else dice.choice(pools.words[kind])


def filler(kind: str, dice: Random, pools: Pools) -> str:
    """What is no personal data and may look like it."""
    return dice.choice(_PRODUCTS[pools.language]) if kind == "product" else _FILLERS[kind](dice, pools)


def _digits(dice: Random, count: int) -> str:
    return "".join(dice.choices("0123456789", k=count))


def _code(dice: Random, form: str) -> str:
    """`A` becomes a letter, `#` a digit, `_` one that is neither 0 nor 1; all else stays."""
    drawn = {"A": _LETTERS, "#": "0123456789", "_": "23456789"}
    return "".join(dice.choice(drawn[char]) if char in drawn else char for char in form)


def _name(dice: Random, pools: Pools) -> str:
    return f"{dice.choice(pools.words['first'])} {dice.choice(pools.words['last'])}"


def _email(dice: Random, pools: Pools) -> str:
    first, last = (
        dice.choice(pools.words[which]).translate(_FOLD).lower().replace("'", "").split()[-1]
        for which in ("first", "last")
    )
    local = dice.choice((f"{first}.{last}", f"{first[0]}{last}{_digits(dice, 2)}", f"{last}_{first}"))
    return f"{local}@{dice.choice(('example.com', 'mail.example.org', 'example.net'))}"


def _phone(dice: Random, pools: Pools) -> str:
    return _code(dice, dice.choice(_PHONES[pools.language]))


def _street(dice: Random, pools: Pools) -> str:
    street, number = dice.choice(pools.words["streets"]), dice.randint(1, 180)
    if pools.language in {"en", "fr"}:
        return f"{number} {street}" if pools.language == "en" else f"{number}{dice.choice(('', ','))} {street}"
    return f"{street} {number}" if pools.language == "de" else f"{street}, {number}"


def _postal_code(dice: Random, pools: Pools) -> str:
    form = dice.choice(("#####", "#####", "AA# #AA")) if pools.language == "en" else "#####"
    return _code(dice, form)


def _dob(dice: Random, pools: Pools) -> str:
    day, month, year = dice.randint(1, 28), dice.randint(1, 12), dice.randint(1940, 2005)
    local = f"{month:02d}/{day:02d}/{year}" if pools.language == "en" else f"{day:02d}/{month:02d}/{year}"
    dotted = f"{day:02d}.{month:02d}.{year}" if pools.language == "de" else local
    return dice.choice((f"{year}-{month:02d}-{day:02d}", dotted))


def _salary(dice: Random, pools: Pools) -> str:
    amount = f"{dice.randint(24, 190)},{dice.choice(('000', '500'))}"
    return f"${amount}" if pools.language == "en" else f"{amount.replace(',', '.')} €"


def _ip(dice: Random, _pools: Pools) -> str:
    if dice.random() < 0.2:  # noqa: PLR2004 - one in five
        return str(ipaddress.IPv6Address(0x20010DB8 << 96 | dice.getrandbits(64)))
    return (
        f"{dice.choice((81, 93, 151, 198, 203))}.{dice.randint(1, 254)}.{dice.randint(0, 254)}.{dice.randint(1, 254)}"
    )


def _mac(dice: Random, _pools: Pools) -> str:
    return ":".join(f"{dice.randrange(256):02X}" for _ in range(6))


def _wallet(dice: Random, _pools: Pools) -> str:
    return dice.choice(("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"))


def _password(dice: Random, _pools: Pools) -> str:
    return _code(dice, dice.choice(("Sommer-##!aA", "tr0ub4dor&##", "xK#!AA##pq", "Welcome####!")))


def _username(dice: Random, pools: Pools) -> str:
    word = dice.choice(pools.words["last"]).translate(_FOLD).lower().replace("'", "").split()[0]
    return f"{word}{dice.choice(('_', '.', ''))}{_digits(dice, 2)}"


def _gps(dice: Random, _pools: Pools) -> str:
    return f"{dice.uniform(36, 59):.5f}, {dice.uniform(-120, 20):.5f}"


def _amount(dice: Random, pools: Pools) -> str:
    whole, cents = dice.randint(5, 900), dice.randint(0, 99)
    return f"${whole}.{cents:02d}" if pools.language == "en" else f"{whole},{cents:02d} €"


_MAKERS: Final[Mapping[str, Callable[[Random, Pools], str]]] = {
    "name": _name,
    "first_name": lambda dice, pools: dice.choice(pools.words["first"]),
    "last_name": lambda dice, pools: dice.choice(pools.words["last"]),
    "email": _email,
    "phone": _phone,
    "street": _street,
    "city": lambda dice, pools: dice.choice(pools.words["cities"]),
    "postal_code": _postal_code,
    "dob": _dob,
    "age": lambda dice, _: str(dice.randint(6, 90)),
    "salary": _salary,
    "wallet": _wallet,
    "bank_account": lambda dice, _: _digits(dice, dice.choice((8, 10, 12))),
    "passport": lambda dice, _: _code(dice, dice.choice(("#########", "A########", "C##AA#A##"))),
    "licence": lambda dice, _: _code(dice, dice.choice(("A#######", "A###-####-####", "########"))),
    "plate": lambda dice, pools: _code(dice, _PLATES[pools.language]),
    "ip": _ip,
    "mac": _mac,
    "gps": _gps,
    "username": _username,
    "user_id": lambda dice, _: _code(dice, dice.choice(("usr_######", "C-#####", "emp#####"))),
    "password": _password,
    "mrn": lambda dice, _: _code(dice, dice.choice(("#######", "MRN-######", "H########"))),
    "insurance_id": lambda dice, pools: _code(dice, "A#########" if pools.language == "de" else "AAA#########"),
}
_PHONES: Final[Mapping[str, Sequence[str]]] = {
    "en": ("+1 21_-55_-####", "(41_) 62_-####", "503-_22-####", "+44 20 7946 0###", "07700 900###", "21255501##"),
    "de": ("030 23125 ###", "+49 171 3920 ###", "0221 4710 ###", "+49 40 66969 ###"),
    "fr": ("01 99 00 ## ##", "+33 6 39 98 ## ##", "06.39.98.##.##", "0261912###"),
    "es": ("612 34 ## ##", "+34 912 34 ## ##", "698 ### ###", "934 ## ## ##"),
}
_PLATES: Final[Mapping[str, str]] = {"en": "AA## AAA", "de": "M-AA ####", "fr": "AA-###-AA", "es": "#### BCD"}
_PRODUCTS: Final[Mapping[str, Sequence[str]]] = {
    "en": ("wireless earbuds", "Mountain Bike Pro", "Jigsaw Puzzle", "Desk Lamp", "Lincoln Sofa", "cordless drill"),
    "de": ("die Akku-Bohrmaschine", "das Wanderzelt Edelweiß", "den Schreibtisch Luise", "Kopfhörer"),
    "fr": ("la perceuse sans fil", "le canapé Lafayette", "la lampe Colette", "des écouteurs"),
    "es": ("el taladro inalámbrico", "el sofá Sevilla", "la lámpara Carmen", "unos auriculares"),
}  # fmt: skip
_CITIES: Final = ("Lisbon", "Chicago", "Berlin", "Lyon", "Madrid", "San Francisco", "Hamburg", "Marseille", "Toledo")
_FILLERS: Final[Mapping[str, Callable[[Random, Pools], str]]] = {
    "order": lambda dice, _: _code(dice, dice.choice(("#W#######", "ORD-#######", "2024-######", "##########"))),
    "sku": lambda dice, _: _code(dice, dice.choice(("AB-####-AA", "##########", "SKU#####", "A##-A####"))),
    "ean": lambda dice, _: _digits(dice, 13),
    "tracking": lambda dice, _: _code(dice, dice.choice(("1Z###AA###########", "############", "AA#########DE"))),
    "flight": lambda dice, _: _code(dice, "AA###"),
    "ticket": lambda dice, _: _code(dice, dice.choice(("PROJ-####", "######", "INC00#####"))),
    "ref": lambda dice, _: _code(dice, "AA#AA#"),
    "version": lambda dice, _: _code(dice, dice.choice(("#.#.#", "v#.##.#", "2024.#.#", "#.#.#.#-rc#"))),
    "uuid": lambda dice, _: str(UUID(int=dice.getrandbits(128), version=4)),
    "hash": lambda dice, _: f"{dice.getrandbits(160):040x}",
    "epoch": lambda dice, _: str(dice.randint(1_600_000_000, 1_790_000_000)),
    "int": lambda dice, _: str(dice.randint(2, 99_999)),
    "date": lambda dice, _: f"2024-{dice.randint(1, 12):02d}-{dice.randint(1, 28):02d}",
    "time": lambda dice, _: f"{dice.randint(0, 23):02d}:{dice.randint(0, 59):02d}",
    "amount": _amount,
    "city": lambda dice, _: dice.choice(_CITIES),
}  # fmt: skip
