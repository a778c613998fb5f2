"""The settings of an installation in which some work never ends."""

import os

# Importing the package config reads settings by this name; these are not whole yet.
_MINE = os.environ["DJANGO_SETTINGS_MODULE"]
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

from config.settings import *  # noqa: E402, F403
from config.settings import INSTALLED_APPS  # noqa: E402

os.environ["DJANGO_SETTINGS_MODULE"] = _MINE
INSTALLED_APPS = [*INSTALLED_APPS, "tests.jobs.endless"]
