"""The project's pages, and what can be found in them."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Every Markdown page that people read."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
    return [*found, *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "infra").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page that are in one language."""
    return [text for name, text in FENCE.findall(page.read_text(encoding="utf-8")) if name == language]


def commands(page: Path) -> Iterator[list[str]]:
    """Every use of `lawful` in a console block or in inline code, as words."""
    text = page.read_text(encoding="utf-8")
    lines = [line for name in ("console", "sh") for block in blocks(page, name) for line in _joined(block)]
    lines += re.findall(r"`([^`\n]+)`", FENCE.sub("", text))
    for line in lines:
        found = re.match(r"(?:\$ )?(?:[A-Z_]+=\S+ +)*(?:\.venv/bin/)?lawful +([a-z].*)", line)
        if found:
            yield re.sub(r'"[^"]*"', "TEXT", found[1].split("#")[0]).split()


def _joined(block: str) -> list[str]:
    return block.replace("\\\n", " ").splitlines()


def ids(page: Path) -> str:
    """A page's name for test ids."""
    return str(page.relative_to(ROOT))
