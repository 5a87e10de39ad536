"""The policies that a worker goes by: several, by id, one of them for sessions that name none.

There is no way to have none: an empty set is an error, an unknown id has no policy (its events are
blocked), and a reload that finds anything wrong keeps what was good (A26).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from lawful.policies.load import GOLDEN_FILE, POLICY_FILE, load_policy
from lawful.policies.model import Policy
from lawful.policies.problems import did_you_mean
from lawful.schemas.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class PolicySet:
    """Loaded policies. Frozen: a reload gives another set.

    Attributes:
        policies: by id; never empty.
        default: the id of the policy of sessions that name none; `None` if those are to be blocked.
        sources: the files and folders it was read from.
        trouble: why the last reload changed nothing.
    """

    policies: Mapping[str, Policy]
    default: str | None = None
    sources: tuple[Path, ...] = ()
    trouble: ConfigurationError | None = field(default=None, compare=False)

    @classmethod
    def of(cls, policies: Iterable[Policy], default: str | None = None) -> "PolicySet":
        """A set of policies that are loaded already.

        Args:
            policies: at least one; their ids differ.
            default: the id for sessions that name none. Without it, the only policy there is, or
                none if there are several.

        Raises:
            ConfigurationError: there is none, two share an id, or there is no such default.
        """
        by_id: dict[str, Policy] = {}
        for policy in policies:
            if policy.id in by_id:
                raise ConfigurationError(f"two policies have the id '{policy.id}'", hint="rename or remove one")
            by_id[policy.id] = policy
        if not by_id:
            raise ConfigurationError("there is no policy at all", hint="without one, every event would be blocked")
        if default is not None and default not in by_id:
            hint = did_you_mean(default, by_id) or f"the ids are {', '.join(sorted(by_id))}"
            raise ConfigurationError(f"the default policy '{default}' is not among the loaded ones", hint=hint)
        only = next(iter(by_id)) if len(by_id) == 1 else None
        return cls(MappingProxyType(by_id), default or only)

    @classmethod
    def load(cls, sources: Iterable[str | Path], default: str | None = None) -> "PolicySet":
        """Reads policies from files and folders.

        A folder counts as one policy if it holds a `policy.yaml`; otherwise all its `*.yaml` files
        and such folders in it are read.

        Raises:
            ConfigurationError: anything at all is wrong with any of them.
        """
        paths = tuple(Path(source) for source in sources)
        files = [file for path in paths for file in _files(path)]
        return replace(cls.of((load_policy(file) for file in files), default), sources=paths)

    def get(self, policy_id: str | None = None) -> Policy | None:
        """The policy with this id; without an id, the default one; `None` if there is no such policy."""
        wanted = self.default if policy_id is None else policy_id
        return None if wanted is None else self.policies.get(wanted)

    def reload(self) -> "PolicySet":
        """What the sources say now; if any of it is wrong, this very set, with the `trouble` told."""
        if not self.sources:
            return self
        try:
            fresh = PolicySet.load(self.sources, self.default)
        except ConfigurationError as error:
            return replace(self, trouble=error)
        return replace(self, trouble=None) if fresh == self else fresh


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise ConfigurationError(f"there is no policy at {path}", hint="check the path")
    if not path.is_dir():
        return [path]
    if (path / POLICY_FILE).is_file():
        return [path / POLICY_FILE]
    own = [file for pattern in ("*.yaml", "*.yml") for file in path.glob(pattern) if file.name != GOLDEN_FILE]
    return sorted([*own, *path.glob(f"*/{POLICY_FILE}")])
