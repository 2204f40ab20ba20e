"""Object insertion (MetaOD): put an object in, everything else must be detected as before."""
