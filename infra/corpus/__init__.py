"""A labelled corpus of our own: what people and agents write, with every personal value marked.

Made from templates by seed, so that nobody's real data is in it and as much as is wanted can be had.
"""
