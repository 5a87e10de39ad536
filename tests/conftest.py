"""What every test folder may use: engines (see `tests/engines.py`), and data of others (`tests/outside.py`).

Laws are tested with the same examples in every run: what fails comes of a change. `make fuzz` tries new ones.
"""

from hypothesis import settings

pytest_plugins = ["tests.engines", "tests.outside"]

settings.register_profile("same", derandomize=True)
settings.register_profile("new", derandomize=False, print_blob=True)
settings.load_profile("same")
