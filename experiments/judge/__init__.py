"""How often the judge's intervals hold the truth and its verdicts err, by simulation."""
