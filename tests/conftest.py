"""What every test folder may use: engines (see `tests/engines.py`), and data of others (`tests/outside.py`)."""

pytest_plugins = ["tests.engines", "tests.outside"]
