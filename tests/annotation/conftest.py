from tests.campaigns.conftest import *  # noqa: F403 (the campaigns' stage is this one's too)
