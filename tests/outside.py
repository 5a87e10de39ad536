"""What others gathered and judged, which is no part of the repository: tests of it are skipped where it is not.

`LAWFUL_SHARED_DATA` names the folder of public benchmark data; an independent engine's verdicts lie beside it.
"""

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("LAWFUL_SHARED_DATA") or Path(__file__).parents[2] / "shared" / "data")
GOLDEN = DATA.parent / "golden" / "mfotl.jsonl"

needs_golden = pytest.mark.skipif(not GOLDEN.exists(), reason="the independent engine's verdicts are not here")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public benchmark data."""
    if not DATA.is_dir():
        pytest.skip(f"the public benchmark data is not in {DATA}")
    return DATA
