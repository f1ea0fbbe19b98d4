"""Heavy work on a Ray cluster: ``python -m clearway.cluster enumerate|pack|compare|evolve``.

The options are those of the commands of the same names, and so is the result, to the byte, whatever the number of
machines and whichever of them dies on the way.
"""
