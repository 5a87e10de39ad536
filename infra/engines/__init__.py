"""Engines to run on: real parts as supervised child processes, for a laptop, the demo and the tests.

Nothing here is an engine of our own. The broker and the database come from wheels (or Maven's jars,
or Docker); these modules choose ports, start, check, stop, and say what each engine cannot do.
"""
