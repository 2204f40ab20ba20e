"""The starter pack: weights and photographs for a first try, fetched and pinned."""
