#!/usr/bin/env python3
"""Picks the corpora of the tree anew: from them and from what runs have learnt, the fewest inputs that reach as much.

Usage: minimise.py TREE [TARGET...]. TREE holds the programs and their corpora (build/asan, or build/fuzz-fast with
--from FOLDER, where FOLDER/TARGET are the inputs to choose from). Findings that were mended, named finding-*, stay.
Standard library only.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MOST = 64


def minimise(tree: Path, source: Path, target: str) -> int:
    """How many inputs the corpus has afterwards."""
    committed = HERE / "corpus" / target
    committed.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder) / target
        chosen.mkdir()
        # Edges alone: how often each was passed would keep hundreds.
        command = [str(tree / "fuzzers" / f"fuzz_{target}"), "-set_cover_merge=1", "-use_counters=0", "-timeout=10", str(chosen)]
        command += [str(path) for path in (source / target, committed) if path.is_dir()]
        subprocess.run(command, check=True, capture_output=True)
        kept = sorted(chosen.iterdir(), key=lambda path: (path.stat().st_size, path.name))
        for old in committed.iterdir():
            if not old.name.startswith("finding-"):
                old.unlink()
        # The longest reach deepest: of too many the short ones go.
        for path in kept[-MOST:]:
            shutil.copy(path, committed / path.name[:12])
    return len(list(committed.iterdir()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--from", dest="source", type=Path, default=None)
    given = parser.parse_args()
    targets = given.targets or sorted(p.name.removeprefix("fuzz_") for p in (given.tree / "fuzzers").glob("fuzz_*"))
    for target in targets:
        print(f"{target:15} {minimise(given.tree, given.source or given.tree / 'corpus', target)} inputs", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
