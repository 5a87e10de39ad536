"""How well personal data is found: ours and default Presidio's hits held against what is really there."""
