"""Mirror: the mirrored scene must give mirrored boxes."""
