from tests.datasets.conftest import *  # noqa: F403 (the datasets' stage is this one's too)
