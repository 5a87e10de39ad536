"""What every test folder may use: the engines' fixtures (see `tests/engines.py`)."""

pytest_plugins = ["tests.engines"]
