"""Names of people and places, as a language model guesses them."""
