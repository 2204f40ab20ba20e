"""Hot paths measured beside their peers, in one run each, with a ratio printed."""
