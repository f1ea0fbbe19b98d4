"""Prints the values that the tests of the statistics compare with.

Run with SciPy: python crates/lab/tests/scipy/values.py > crates/lab/tests/scipy/values.tsv
"""

import random

import numpy
import scipy
from scipy import stats

random.seed(20)


def show(kind, first, second, *results):
    samples = [",".join(map(repr, sample)) or "-" for sample in (first, second)]
    print(kind, *samples, *(repr(float(result)) for result in results), sep="\t")


def draw(count, digits):
    """A sample; few digits make ties likely."""
    return [round(random.lognormvariate(0, 1), digits) for _ in range(count)]


print(f"# SciPy {scipy.__version__}; written by values.py")
print("# test, first sample, second sample, results")
for count in (1, 2, 5, 6, 9, 13, 14, 20, 30, 50, 51, 80):
    for digits in (0, 1, 9):
        first, second = draw(count, digits), draw(count, digits)
        differences = [round(a - b, 9) for a, b in zip(first, second)]
        if not any(differences):
            continue
        result = stats.wilcoxon(differences)
        show("wilcoxon", differences, [], result.statistic, result.pvalue)
        if count >= 5:
            shifted = [difference + 1 for difference in differences]
            result = stats.wilcoxon(shifted)
            show("wilcoxon", shifted, [], result.statistic, result.pvalue)
for few, many in ((1, 1), (1, 7), (3, 4), (5, 5), (8, 8), (8, 20), (9, 9), (10, 10), (10, 30), (40, 25)):
    for digits in (0, 1, 9):
        first, second = draw(few, digits), [round(value + 0.7, 9) for value in draw(many, digits)]
        if len(set(first + second)) == 1:
            continue
        result = stats.mannwhitneyu(first, second)
        show("mann-whitney", first, second, result.statistic, result.pvalue)
        result = stats.mannwhitneyu(second, first)
        show("mann-whitney", second, first, result.statistic, result.pvalue)
for first, second in ((0, 1), (3, 9), (7, 7), (2, 30), (100, 140), (1500, 1400)):
    show("sign", [first], [second], stats.binomtest(first, first + second).pvalue)
for count in (1, 2, 3, 10, 11, 40):
    values = draw(count, 9)
    show("quartiles", values, [], *stats.mstats.mquantiles(values, [0.25, 0.5, 0.75], alphap=1, betap=1))
for count in (6, 10, 25):
    values = draw(count, 9)
    result = stats.bootstrap((values,), numpy.median, method="percentile", n_resamples=100_000, rng=1)
    show("bootstrap", values, [], result.confidence_interval.low, result.confidence_interval.high)
