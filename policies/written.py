"""A policy together with its text: for tools that talk to the person who wrote it.

The judge needs the compiled policy only. Who lints, explains or compares also needs the places of
things, and must be able to look at a draft, which `lawful.policies.load` refuses.
"""

from dataclasses import dataclass

from lawful.policies.checks import check_meaning
from lawful.policies.compile import compile_policy
from lawful.policies.document import PolicyDocument
from lawful.policies.model import Policy, RegoRules
from lawful.policies.problems import InvalidPolicy, Problem
from lawful.policies.rego.reading import read_rego
from lawful.policies.shape import check_shape
from lawful.schemas.yamltree import Tree, read_yaml


@dataclass(frozen=True, slots=True)
class Written:
    """A policy as it is written.

    Attributes:
        document: as written, but for the mark of a draft.
        draft: it bore that mark.
        problems: why it could not be used; what is said of the rest still holds.
    """

    text: str
    tree: Tree
    document: PolicyDocument
    draft: bool
    problems: tuple[Problem, ...] = ()
    rego: RegoRules | None = None

    def policy(self) -> Policy:
        """The compiled policy.

        Raises:
            InvalidPolicy: there are problems.
        """
        if self.problems:
            raise InvalidPolicy(self.problems)
        return compile_policy(self.document, self.rego)


def read_written(text: str, file: str = "policy.yaml") -> Written:
    """Reads a policy's text, drafts included. What its names mean is checked, and kept as `problems`.

    Raises:
        InvalidPolicy: it has not even the shape of a policy.
    """
    tree = read_yaml(text, file)
    document = check_shape(tree, PolicyDocument)
    draft, document = document.draft, document.model_copy(update={"draft": False})
    rego, flaws = read_rego(tree, document)
    return Written(text, tree, document, draft, (*check_meaning(tree, document), *flaws), rego)
