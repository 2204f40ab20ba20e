"""Object insertion (MetaOD): insert an object; everything else must be detected as before."""
