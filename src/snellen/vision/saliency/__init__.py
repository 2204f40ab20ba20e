"""Which parts of an image a detection hangs on, learnt from answers alone."""
