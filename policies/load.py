"""Reading policies: from a file of one's own, or one of the packs that come with the product.

A policy that cannot be read whole is no policy: the error says which file, line and column is wrong
and what would be right, and nothing starts (A26).
"""

from pathlib import Path

from lawful.policies.checks import check_meaning
from lawful.policies.compile import compile_policy
from lawful.policies.document import PolicyDocument
from lawful.policies.model import Policy
from lawful.policies.problems import InvalidPolicy, did_you_mean
from lawful.policies.rego.reading import read_rego
from lawful.policies.shape import check_shape
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.textfile import read_text
from lawful.schemas.yamltree import read_yaml

POLICY_FILE = "policy.yaml"
GOLDEN_FILE = "golden.yaml"


def load_policy(path: str | Path) -> Policy:
    """The policy in a YAML file, or in the `policy.yaml` of a folder.

    Raises:
        ConfigurationError: the file cannot be read, or is no valid policy (`InvalidPolicy`, which
            lists every problem with its place).
    """
    path = Path(path)
    file = path / POLICY_FILE if path.is_dir() else path
    return parse_policy(read_text(file), str(file))


def parse_policy(text: str, file: str = "policy.yaml") -> Policy:
    """The policy that a text describes; `file` names it in errors, and its Rego modules stand beside that.

    Raises:
        InvalidPolicy: it is none; lists every problem with its place.
    """
    tree = read_yaml(text, file)
    document = check_shape(tree, PolicyDocument)
    rego, flaws = read_rego(tree, document)
    problems = [*check_meaning(tree, document), *flaws]
    if problems:
        raise InvalidPolicy(problems)
    return compile_policy(document, rego)


def pack_names() -> tuple[str, ...]:
    """The packs that come with the product."""
    return tuple(sorted(folder.parent.name for folder in _packs().glob(f"*/{POLICY_FILE}")))


def pack_folder(name: str) -> Path:
    """The folder of a pack, with its policy and golden cases.

    Raises:
        ConfigurationError: there is no such pack.
    """
    if name not in pack_names():
        hint = did_you_mean(name, pack_names()) or f"the packs are {', '.join(pack_names())}"
        raise ConfigurationError(f"there is no policy pack '{name}'", hint=hint)
    return _packs() / name


def load_pack(name: str) -> Policy:
    """The policy of a pack.

    Raises:
        ConfigurationError: there is no such pack.
    """
    return load_policy(pack_folder(name))


def _packs() -> Path:
    return Path(__file__).parent / "packs"
