"""A licence as a researcher wrote it, and the names that dataset cards and descriptions have for it."""

from __future__ import annotations

import re

_CREATIVE_COMMONS = re.compile(r"cc[ -]by(?P<terms>([ -](nc|sa|nd))*)[ -](?P<version>[1-4]\.0)")
_ZERO = re.compile(r"cc[ -]?0([ -]1\.0)?|public domain dedication")
_OTHERS = {
    "mit": ("mit", "https://opensource.org/license/mit"),
    "apache-2.0": ("apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
    "apache 2.0": ("apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
    "odc-by": ("odc-by", "https://opendatacommons.org/licenses/by/1-0/"),
    "odbl": ("odbl", "https://opendatacommons.org/licenses/odbl/1-0/"),
}


def licence_id(written: str) -> str:
    """The identifier in a Hugging Face card; "other" where there is none, "unknown" for no licence.

    >>> licence_id("CC BY-SA 4.0"), licence_id("CC0"), licence_id("ours"), licence_id("")
    ('cc-by-sa-4.0', 'cc0-1.0', 'other', 'unknown')
    """
    return _known(written)[0] or ("other" if written.strip() else "unknown")


def licence_url(written: str) -> str:
    """The licence's address; "" where it is not known.

    >>> licence_url("CC BY-SA 4.0")
    'https://creativecommons.org/licenses/by-sa/4.0/'
    """
    return _known(written)[1]


def _known(written: str) -> tuple[str, str]:
    name = " ".join(written.lower().split())
    if found := _CREATIVE_COMMONS.fullmatch(name):
        terms = "-".join(["by", *re.findall("nc|sa|nd", found["terms"])])
        return (
            f"cc-{terms}-{found['version']}",
            f"https://creativecommons.org/licenses/{terms}/{found['version']}/",
        )
    if _ZERO.fullmatch(name):
        return "cc0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"
    return _OTHERS.get(name, ("", ""))
