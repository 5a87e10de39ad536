"""Which agents are critical: through whom most of what is said goes.

After MAS-Shield: who talks to whom is a graph, made of what was said before; the agents in its middle
are those whose corruption would reach furthest, so their events get the heavy tier.
"""
