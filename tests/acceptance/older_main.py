"""A worker of the first release: it knows the first version of every schema, and no other.

`catalogue` and what writes enums are changed before anything else of the product is imported.
"""

from typing import Any

from lawful.schemas import catalogue
from lawful.schemas.wire import write
from lawful.schemas.wire.hints import kind, symbol

FIRST = 1


def first_release() -> None:
    """Takes away all that later releases have brought."""
    first = {record: catalogue.released(record)[:FIRST] for record in catalogue.RECORDS.values()}
    catalogue.released = first.__getitem__  # type: ignore[assignment]
    catalogue.current = lambda record: first[record][0]  # type: ignore[assignment]
    statements = write.statements

    def known(scope: Any, hint: Any, schema: Any, v: str) -> list[str]:
        """As ever, but for members of enums that the first release did not have."""
        if kind(schema) == "enum":
            hint = [member for member in hint if symbol(member) in schema["symbols"]]
        return statements(scope, hint, schema, v)

    write.statements = known


if __name__ == "__main__":
    first_release()
    from tests.acceptance import small_main

    small_main.main()
