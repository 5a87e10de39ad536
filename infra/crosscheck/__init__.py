"""Running the three judges over generated worlds and recorded traces."""
