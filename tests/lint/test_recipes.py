"""recipes.py compiles what a document prints, as it prints it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

_CHECK = Path(__file__).parent / "recipes.py"
_COMPILER = shutil.which("c++") or "c++"


class Recipes(unittest.TestCase):
    def check(self, document: str) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "firmware").mkdir()
            (root / "firmware" / "list.inc").write_text("MEMBER(old)\n")
            (root / "firmware" / "list.cpp").write_text(
                '#define MEMBER(name) int name = 0;\n#include "firmware/list.inc"\n'
            )
            (root / "doc.md").write_text(document)
            return subprocess.run(
                [sys.executable, _CHECK, root / "doc.md", root, _COMPILER], capture_output=True, text=True, check=False
            )

    def test_code_that_compiles_is_good(self) -> None:
        done = self.check("1. One:\n\n   <!-- file: firmware/one.h -->\n   ```cpp\n   int one();\n   ```\n")
        self.assertEqual((done.returncode, done.stdout), (0, "1 files of recipes compile as printed\n"))

    def test_code_that_does_not_compile_is_refused(self) -> None:
        self.assertEqual(self.check("<!-- file: firmware/one.h -->\n```cpp\nint one(;\n```\n").returncode, 1)

    def test_a_line_of_a_list_is_compiled_where_the_list_is_read(self) -> None:
        mark = "<!-- in: firmware/list.inc after: MEMBER( -->\n```cpp\n"
        self.assertEqual(self.check(mark + "MEMBER(fresh)\n```\n").returncode, 0)
        self.assertEqual(self.check(mark + "MEMBER(old)\n```\n").returncode, 1)

    def test_a_document_without_a_recipe_or_with_a_place_that_is_gone_is_refused(self) -> None:
        self.assertIn("no recipe is marked", self.check("nothing\n").stdout)
        gone = self.check("<!-- in: firmware/list.inc after: GONE( -->\n```cpp\nx\n```\n")
        self.assertIn("no line contains 'GONE('", gone.stdout)


if __name__ == "__main__":
    unittest.main()
