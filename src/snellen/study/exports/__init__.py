"""What a study's answers are written as for other tools."""
