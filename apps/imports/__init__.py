"""Pairs in, from every file that researchers have: looked at first, then stored once.

A file is opened within bounds (:mod:`.opening`), cut into records (:mod:`.records`), read by the format
that its columns name (:mod:`.formats`), previewed (:mod:`.preview`) and stored (:mod:`.storing`).
"""
