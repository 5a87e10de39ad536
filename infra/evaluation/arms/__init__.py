"""What is measured: our monitor in several forms, and what people would pick instead."""
