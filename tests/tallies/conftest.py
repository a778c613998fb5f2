from tests.datasets.conftest import campaign, dataset, make

__all__ = ["campaign", "dataset", "make"]
