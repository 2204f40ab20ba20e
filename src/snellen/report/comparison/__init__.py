"""Two runs of one method side by side: what one subject does better than the other."""
