"""The Steiner system of hexads."""

from itertools import combinations

from snellen.methods.combinations.covering.constructions.hexads import hexads


def test_each_triple_of_22_labels_lies_in_one_hexad() -> None:
    triples = [t for one in hexads() for t in combinations(one, 3)]
    assert len(hexads()) == 77
    assert len(triples) == len(set(triples)) == 22 * 21 * 20 // 6
