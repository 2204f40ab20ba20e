"""Which objects a subject labels right when it sees them alone."""
