"""What words announce."""

import pytest

from lawful.extractors.said import Said
from tests.extractors.support import found

NAME, PASSWORD, LOGIN, PAY = "user.name", "user.authorization.password", "user.account.username", "user.financial"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my name is Zsófia Kertész-Nagy and", [("Zsófia Kertész-Nagy", NAME)]),
        ("my name is Amalia N Costa but", [("Amalia N Costa", NAME)]),
        ("everyone calls me Şuheda", [("Şuheda", NAME)]),
        ("call me Monday", []),
        ("mein Name ist Ünal Öztürk, ich", [("Ünal Öztürk", NAME)]),
        ("je m'appelle Oyelaran", [("Oyelaran", NAME)]),
        ("me llamo Ximena de la Vega", [("Ximena de la Vega", NAME)]),
        ("Kontoinhaber: Bjarne Thorsen", [("Bjarne Thorsen", NAME)]),
        ("au nom de Aïssatou Diop.", [("Aïssatou Diop", NAME)]),
        ("titular Iñaki Etxeberria", [("Iñaki Etxeberria", NAME)]),
        ("please ask Mrs. Adeyemi about it", [("Adeyemi", NAME)]),
        ("Frau Dr. Nguyen ist da", [("Nguyen", NAME)]),
        ("I'm Oyelaran Adeyemi", [("Oyelaran Adeyemi", NAME)]),
        ("I'm Happy to help", []),
        ("this is Great", []),
        ("I am Muslim and tired", []),
        ("my name is not important", []),
        ("the username is jdoe_42 and", [("jdoe_42", LOGIN)]),
        ("Benutzername: anna.k", [("anna.k", LOGIN)]),
        ("the login page is broken", []),
        ("Login came from abroad", []),
        ("pwd: Welcome2024!", [("Welcome2024!", PASSWORD)]),
        ("mot de passe : soleil99", [("soleil99", PASSWORD)]),
        ("die Kennwort-Regel gilt", []),
        ("my password is wrong", []),
        ("password: required", []),
        ("I earn $85,000 a year", [("$85,000", PAY)]),
        ("mein Gehalt liegt bei 52.000 € brutto", [("52.000 €", PAY)]),
        ("je gagne 38 000 €", [("38 000 €", PAY)]),
        ("mi sueldo es de 24.500 €", [("24.500 €", PAY)]),
        ("the total is $85.00", []),
        ("I like my salary. The lamp costs $20.", []),
    ],
)
def test_words_announce(text: str, expected: list[tuple[str, str]]) -> None:
    """What follows a cue is taken for what the cue says, if it looks it."""
    assert found(Said(), text) == expected
