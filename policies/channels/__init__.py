"""Channels: what may pass from whom to whom, and in which form.

Two steps, as everywhere: whoever sees the event says which channels it travels (`matching`), and the
judge says what that means for what was found in it (`judging`). Channels only ever make a verdict
stricter, so that they need no place in the four predicates.
"""
