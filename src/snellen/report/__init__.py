"""What a person sees of a run: summary and pictures."""
