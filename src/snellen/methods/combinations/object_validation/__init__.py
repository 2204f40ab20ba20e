"""Which objects a subject labels correctly when shown alone."""
