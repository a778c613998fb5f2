"""The science of Polarlab: polarity marking and the monotonicity calculus for English.

Pure Python, no Django. Heavy libraries (spaCy) are imported where they are used.
"""

ENGINE = "natlog"
VERSION = "1.2"
