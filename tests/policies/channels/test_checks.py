"""What is wrong with `recipients`, `roles` and `structured`, at its place and with what would be right."""

import pytest

from lawful.policies.load import parse_policy
from lawful.policies.problems import InvalidPolicy
from tests.policies import samples

GOOD = (
    samples.TEXT
    + """
roles: {doctor: doctor}
structured:
  invite: {schema: {type: object, properties: {patient: {type: string}}}}
predicates:
  invite: {message: agent, action: invite, args: {patient: {path: /text/patient}}}
recipients:
  - name: others
    to: {kind: agent}
    except: {role: doctor}
    categories: {user.name: mask}
    fields: {/text/salary: remove}
    patterns: {ticket: {match: 'T-[0-9]+', do: block}}
    structured: [invite]
"""
)


@pytest.mark.parametrize(
    ("good", "bad", "message", "hint"),
    [
        ("role: doctor}", "role: docter}", "nobody has the role 'docter'", "did you mean 'doctor'?"),
        ("user.name: mask}", "user.nam: mask}", "'user.nam' is no data category", "did you mean 'user.name'?"),
        ("user.name: mask}", "user.name: hide}", "no way to handle it; there are pass, warn, ", ""),
        ("user.name: mask}", "user.name: {generalise: x}}", "no way to handle it", ""),
        ("/text/salary", "/body/salary", "'/body/salary' does not point into a payload", "begin with /text"),
        ("/text/salary", "pay.salary", "'pay.salary' is no member's name", "write a pointer"),
        ("'T-[0-9]+'", "'T-[0-9'", "this is no regular expression", ""),
        ("'T-[0-9]+'", "'x*'", "matches nothing at all, and so everything", ""),
        ("structured: [invite]", "structured: [invit]", "'invit' is no structured action", "did you mean 'invite'?"),
        ("{patient: {type: string}}}}", "{action: {type: string}}}}", "a message's 'action' is the name", "leave it"),
        ("{type: object, properties", "{type: array, properties", "are a JSON object", "type: object"),
        ("to: {kind: agent}", "to: {kind: agent}\n    from: {region: US}", "the region of a sender", "say 'kind'"),
        ("recipients:\n", "recipients:\n  - {name: others}\n", "the name 'others' is taken", "another one"),
        ("action: invite,", "action: invit,", "'invit' is no structured action of this", "did you mean 'invite'?"),
        (
            "message: agent, action",
            "message: user, action",
            "a structured action is a message between",
            "message: agent",
        ),
        ("/text/patient", "/text/patent", "the action 'invite' has no argument", "did you mean 'patient'?"),
        ("kind: agent}", "kind: agents}", "'agents' is no value for", "did you mean 'agent'?"),
        ("kind: agent}", 'id: ["x", "\\u200b "]}', "nothing can be seen in this name", "write one"),
        ("role: doctor}", 'outside: "\\uFEFF"}', "nothing can be seen in this name", "write one"),
    ],
)
def test_what_is_wrong_is_said(good: str, bad: str, message: str, hint: str) -> None:
    """One replacement makes a good policy a wrong one."""
    parse_policy(GOOD)
    assert good in GOOD
    with pytest.raises(InvalidPolicy) as raised:
        parse_policy(GOOD.replace(good, bad, 1))
    said = [str(each) for each in raised.value.problems]
    assert any(message in each and hint in each for each in said), said


def test_the_order_of_channels_is_part_of_the_digest_and_their_absence_is_not() -> None:
    """A policy that says nothing of recipients keeps the digest that it had before there were any."""
    assert parse_policy(GOOD).digest != parse_policy(samples.TEXT).digest
    assert parse_policy(samples.TEXT + "roles: {}\nrecipients: []\n").digest == parse_policy(samples.TEXT).digest
