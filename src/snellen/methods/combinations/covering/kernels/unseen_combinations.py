"""Compiled search for combinations of label values, zeros included, that no row covers."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.kernels.greedy_rows import next_choice
from snellen.vision.arrays import Ints, UInts64
from snellen.vision.compilation import compiled


@compiled
def unseen(columns: UInts64, last: np.uint64, labels: Ints, size: int, most: int) -> Ints:
    """(missing, size + 1): labels and code of each combination that no row covers.

    Combinations with every label present are left out: other rows cover those first.

    `columns`: (n, words) the rows of each label as bits; the final word uses the bits in `last`.
    Bit i of the code is the value of the i-th label of the combination.
    """
    total_labels, words = labels.size, columns.shape[1]
    found = np.empty((256, size + 1), np.int64)
    total = 0
    choice = np.arange(size)
    mask = last
    while True:
        for code in range(1 << size):
            ones = 0
            for i in range(size):
                ones += (code >> i) & 1
            if ones > most or ones == size:
                continue
            seen = False
            for w in range(words):
                value = mask if w == words - 1 else ~np.uint64(0)
                for i in range(size):
                    column = columns[labels[choice[i]], w]
                    value &= column if (code >> i) & 1 else ~column
                if value != 0:
                    seen = True
                    break
            if not seen:
                if total == found.shape[0]:
                    found = np.concatenate((found, np.empty((total, size + 1), np.int64)))
                for i in range(size):
                    found[total, i] = labels[choice[i]]
                found[total, size] = code
                total += 1
        if not next_choice(choice, size, total_labels):
            return found[:total]
