"""How sure a number is: intervals, bootstrap by scene, comparisons, permutation nulls."""
