"""The server of a study: what participants and the owner may ask of it, and nothing else."""
