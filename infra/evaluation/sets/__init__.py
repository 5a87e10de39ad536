"""External sets: what others have written down about agents and data, put before our monitor. None of it is kept."""
