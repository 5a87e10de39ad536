"""What can be wrong with a rule, said so that its author can mend it without reading this code."""

from lawful.schemas.errors import LawfulError


class FormulaError(LawfulError):
    """A formula, signature or log is wrong.

    Args:
        message: what is wrong, naming the sub-formula.
        text: the source it is in.
        at: 0-based character offset in `text`.
        hint: how to mend it.
    """

    def __init__(self, message: str, *, text: str = "", at: int = 0, hint: str = "") -> None:
        self.message = message
        self.at = at
        self.hint = hint
        before = text[:at]
        self.line = before.count("\n") + 1
        self.column = at - (before.rfind("\n") + 1) + 1
        mend = f"; {hint}" if hint else ""
        super().__init__(f"line {self.line}, column {self.column}: {message}{mend}")
