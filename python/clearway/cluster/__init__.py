"""Commands on a Ray cluster: ``python -m clearway.cluster enumerate|pack|compare|evolve``.

Options and results are those of the commands of the same names. The results are identical to the byte, for any number
of machines and whichever of them fail.
"""
