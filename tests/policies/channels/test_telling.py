"""Channels explained, compared and linted."""

import pytest

from lawful.policies.diff import diff
from lawful.policies.explain import explain_policy
from lawful.policies.explain_channels import explain_recipient
from lawful.policies.lint import lint
from lawful.policies.load import parse_policy
from lawful.schemas.errors import ConfigurationError
from tests.policies import samples

CHANNELS = """
roles: {boss: [supervisor, "boss-*"]}
regions: {US: [acme]}
structured:
  invite: {schema: {type: object}}
recipients:
  - name: bosses
    to: {role: boss}
    except: {kind: user}
    categories: {user.contact: mask, user.demographic.date_of_birth: {generalise: year}, user.name: warn}
    fields: {salary: remove}
    patterns: {ticket: {match: 'T-[0-9]+', do: block}}
    structured: [invite]
  - {name: abroad, to: {outside: [US]}, from: {kind: agent}, otherwise: block}
"""
TEXT = samples.TEXT + CHANNELS


def test_a_channel_in_plain_words() -> None:
    """Who is meant, what becomes of what, and what messages must be; by name, by role and by id."""
    (told,) = explain_recipient(parse_policy(TEXT), "bosses")
    assert explain_recipient(parse_policy(TEXT), "boss") == explain_recipient(parse_policy(TEXT), "bosses") == (told,)
    assert told.facts["categories"] == {
        "user.contact": "mask",
        "user.demographic.date_of_birth": "generalise year",
        "user.name": "warn",
    }
    words = " ".join(told.words)
    for sentence in (
        "Holds for what goes to those with the role boss.",
        "Not for those of the kind user, as far as that is known.",
        "The role 'boss' belongs to: supervisor, boss-*.",
        "must be a structured action (invite)",
        "user.contact is masked.",
        "user.demographic.date_of_birth is generalised (year).",
        "user.name passes and is noted.",
        "All other personal data passes.",
        "The member 'salary' is removed.",
        "What matches the pattern 'ticket' is blocked.",
    ):
        assert sentence in words, words
    (abroad,) = explain_recipient(parse_policy(TEXT), "abroad")
    assert "to those outside of US, sent by those of the kind agent" in abroad.words[0]
    assert "Channels: abroad, bosses" in " ".join(explain_policy(parse_policy(TEXT)).words)
    with pytest.raises(ConfigurationError, match="no channel to 'bosss'"):
        explain_recipient(parse_policy(TEXT), "bosss")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "user.contact: mask",
            "user.contact: remove",
            "stricter: channel bosses: user.contact: remove instead of mask",
        ),
        ("user.contact: mask", "user.contact: pass", "looser: channel bosses: user.contact: pass instead of mask"),
        ("{generalise: year}", "{generalise: month}", "neutral: channel bosses: user.demographic.date_of_birth: "),
        ("user.name: warn}", "user.name: block}", "stricter: channel bosses: user.name: block instead of warn"),
        (
            "fields: {salary: remove}",
            "fields: {}",
            "looser: channel bosses: system.field.salary: pass instead of remove",
        ),
        ("otherwise: block}", "otherwise: mask}", "looser: channel abroad: everything else: mask instead of block"),
        ("    structured: [invite]\n", "", "looser: channel bosses: messages may be anything"),
        (
            "    structured: [invite]\n",
            "    structured: []\n",
            "stricter: channel bosses: messages may no longer be 'invite'",
        ),
        ('[supervisor, "boss-*"]', "[supervisor]", "neutral: role boss: is supervisor instead of supervisor, boss-*"),
        ("to: {role: boss}", "to: {kind: agent}", "neutral: channel bosses: holds for others than before"),
        ("T-[0-9]+", "T-[0-9]{4}", "neutral: pattern system.pattern.bosses.ticket: is another one"),
        ("{type: object}", "{type: object, required: [a]}", "neutral: structured action invite: is another one"),
        ("name: abroad", "name: away", "looser: channel abroad: is gone"),
        ("name: abroad", "name: away", "stricter: channel away: is new"),
    ],
)
def test_a_change_has_a_direction(old: str, new: str, expected: str) -> None:
    """One replacement, and how it is told."""
    assert old in TEXT
    told = [str(each) for each in diff(parse_policy(TEXT), parse_policy(TEXT.replace(old, new, 1)))]
    assert any(each.startswith(expected) for each in told), told
    assert diff(parse_policy(TEXT), parse_policy(TEXT)) == ()


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("otherwise: block}", "otherwise: pass}", "channel_says_nothing"),
        ("user.name: warn}", "user.contact.email: mask}", "channel_repeats"),
        ("user.name: warn}", "user.name: pass}", "channel_repeats"),
        ("roles: {boss:", "roles: {clerk: [x], boss:", "channel_part_unused"),
        ("regions: {US:", "regions: {UK: [x], US:", "channel_part_unused"),
        ("structured: [invite]", "structured: []", "channel_part_unused"),
    ],
)
def test_what_changes_nothing_is_told(old: str, new: str, code: str) -> None:
    """And the rest of the policy is fine."""
    assert not [each for each in lint(TEXT).flaws if each.code.startswith("channel")]
    assert old in TEXT
    assert [each.code for each in lint(TEXT.replace(old, new, 1)).flaws if each.code.startswith("channel")] == [code]
