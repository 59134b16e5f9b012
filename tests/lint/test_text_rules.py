"""Each wording and length rule is breached on purpose. Breaches are put together from halves, so that this file itself
keeps the rules."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import text_rules  # noqa: E402


class Length(unittest.TestCase):
    def test_limits_are_tight(self) -> None:
        for lines, breaches, remarks in ((400, 0, 0), (401, 0, 1), (500, 0, 1), (501, 1, 0)):
            with self.subTest(lines=lines):
                found, remarked = text_rules.breaches("hw/a.cpp", "x\n" * lines)
                self.assertEqual((len(found), len(remarked)), (breaches, remarks))

    def test_data_and_documents_may_be_long(self) -> None:
        for path in ("docs/design.md", "hw/parts/a.toml", "tests/golden/a.csv"):
            self.assertEqual(text_rules.breaches(path, "x\n" * 5000), ([], []))


class Words(unittest.TestCase):
    REFUSED = (
        "/ho" + "me/somebody/ftlab",
        "see /wo" + "rk/main",
        '"/ro' + 'ot/.cache"',
        "https://py" + "pi.org/simple",
        "files.python" + "hosted.org",
        "// TO" + "DO later",
        "# FIX" + "ME",
        "../sha" + "red/traces",
    )
    ALLOWED = (
        "${CMAKE_SOURCE_DIR}/work/x",
        "https://example.com/home/index.html",
        "reports/work/output",
        "the shared object",
        "todo",
    )

    def test_words_of_one_machine_and_unfinished_work_are_refused(self) -> None:
        for text in self.REFUSED:
            with self.subTest(text=text):
                found, _ = text_rules.breaches("docs/a.md", "fine\n" + text + "\n")
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith("docs/a.md:2: "))

    def test_similar_words_are_allowed(self) -> None:
        for text in self.ALLOWED:
            with self.subTest(text=text):
                self.assertEqual(text_rules.breaches("docs/a.md", text + "\n")[0], [])

    def test_continuous_integration_may_look_beside_the_checkout(self) -> None:
        self.assertEqual(text_rules.breaches(".ci/run", "../sha" + "red/traces\n")[0], [])


class WholeTree(unittest.TestCase):
    def test_a_breach_in_a_tree_is_found_and_fails(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.md").write_text("/ho" + "me/x\n")
            self.assertEqual(text_rules.main([folder]), 1)
            Path(folder, "a.md").write_text("fine\n")
            self.assertEqual(text_rules.main([folder]), 0)

    def test_binary_files_are_passed_over(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.bin").write_bytes(b"\0/ho" + b"me/x\n")
            self.assertEqual(text_rules.main([folder]), 0)


if __name__ == "__main__":
    unittest.main()
