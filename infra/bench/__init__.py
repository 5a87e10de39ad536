"""What deciding costs: measured on the machine at hand, always as ratios of one run."""
