"""What commands share: progress on standard error, common options, output files."""
