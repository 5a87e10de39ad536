"""The pool of auditors that settings name."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final, cast

from lawful.policies.auditing import Auditor
from lawful.policies.auditing.judges import JUDGES, CalledAuditor, PackAuditor
from lawful.policies.load import load_pack, pack_names
from lawful.policies.model import Policy
from lawful.policies.policyset import PolicySet
from lawful.schemas.errors import ConfigurationError

PACK: Final = "pack:"
READER: Final = "reader"


def auditors(names: str, policies: PolicySet | None = None) -> list[Auditor]:
    """The auditors of a list such as `python,rego,mfotl,reader,pack:medagent,toxic=models:judge`.

    Args:
        names: separated by commas; one of ours, a pack, or `name=module:attribute` of something to call.
        policies: the loaded ones; a pack that comes along is taken where they have none of its name.

    Raises:
        ConfigurationError: one of them is not there.
    """
    return [_auditor(name, policies) for name in listed(names)]


def listed(names: str) -> Iterator[str]:
    """The list's elements."""
    return (name.strip() for name in names.split(",") if name.strip())


def _auditor(name: str, policies: PolicySet | None) -> Auditor:
    if name in JUDGES:
        return JUDGES[name]()
    if name.startswith(PACK):
        return PackAuditor(_policy(name.removeprefix(PACK), policies))
    own, marked, place = name.partition("=")
    if marked:
        return CalledAuditor(own, called(place))
    raise ConfigurationError(
        f"there is no auditor {name!r}", hint=f"use {', '.join(JUDGES)}, {PACK}NAME or NAME=MODULE:ATTRIBUTE"
    )


def _policy(name: str, policies: PolicySet | None) -> Policy:
    found = policies.policies.get(name) if policies is not None else None
    if found is not None:
        return found
    if name in pack_names():
        return load_pack(name)
    raise ConfigurationError(f"no policy {name!r} is loaded", hint="name one of the policies folder, or a pack")


def called(place: str) -> Callable[[Mapping[str, Any]], Any]:
    """What `module:attribute` names.

    Raises:
        ConfigurationError: it is not there, or cannot be called.
    """
    module, _, attribute = place.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(
            f"the auditor {place!r} cannot be imported: {type(error).__name__}", hint="name it as MODULE:ATTRIBUTE"
        ) from None
    if not callable(found):
        raise ConfigurationError(
            f"the auditor {place!r} cannot be called", hint="name a function or an object with one"
        )
    return cast("Callable[[Mapping[str, Any]], Any]", found)
