"""How much is needed for how much: a model of capacity, and what it is made of."""
