"""Numbers that states, insurers and others give to people: their forms, their checksums, and the words beside them."""
