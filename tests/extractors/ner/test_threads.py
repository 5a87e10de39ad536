"""Threads of matrix products."""

import numpy as np
import pytest

from lawful.extractors.ner import threads
from lawful.extractors.ner.threads import one_thread


def test_the_number_is_as_before_afterwards() -> None:
    """One within, and whatever it was outside."""
    switch = threads._switch()
    if switch is None:
        pytest.skip("numpy has no OpenBLAS of its own here")
    before = switch[0]()
    switch[1](2)
    try:
        with one_thread():
            assert switch[0]() == 1
        assert switch[0]() == 2
    finally:
        switch[1](before)


def test_another_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no such switch, products work as ever."""
    monkeypatch.setattr(threads, "_switch", lambda: None)
    with one_thread():
        assert (np.ones((2, 2)) @ np.ones((2, 2)) == 2).all()
