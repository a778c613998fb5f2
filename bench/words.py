"""What loading WordNet's index costs: wall-clock seconds, best of several.

python -m bench.words [--rounds 5]
"""

from __future__ import annotations

import argparse
import time

from natlog.lexicon.wordnet import WordNet


def main() -> None:
    """Print the quickest load."""
    options = argparse.ArgumentParser(description="Time to load WordNet's index.")
    options.add_argument("--rounds", type=int, default=5)
    taken = []
    for _ in range(options.parse_args().rounds):
        start = time.perf_counter()
        WordNet()
        taken.append(time.perf_counter() - start)
    print(f"index loaded in {min(taken):.2f} s, best of {len(taken)}")


if __name__ == "__main__":
    main()
