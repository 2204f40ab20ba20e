"""Arrays by greedy search, annealing and combinations of methods."""
