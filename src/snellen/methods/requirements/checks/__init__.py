"""The check of a requirement: losses, verdict, sentence."""
