"""Rules of running a document's examples: what is run, what counts as equal, what is a fault of the document."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import readme_examples as under_test  # noqa: E402


def document(*blocks: tuple[str, str]) -> str:
    """A document of (mark, block content)."""
    return "# Title\n\n" + "\n\n".join(f"{mark}\n```sh\n{content}\n```" for mark, content in blocks) + "\n"


def problems(*blocks: tuple[str, str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "README.md")
        path.write_text(document(*blocks))
        return under_test.check(path, Path(folder))


class Running(unittest.TestCase):
    def test_marked_block_runs_and_unmarked_does_not(self) -> None:
        self.assertEqual(problems(("<!-- run -->", "true"), ("", "exit 1")), [])
        self.assertEqual(len(problems(("<!-- run -->", "exit 1"))), 1)

    def test_any_failing_command_fails_the_block(self) -> None:
        self.assertEqual(len(problems(("<!-- run -->", "false\ntrue"))), 1)

    def test_prompts_are_dropped(self) -> None:
        self.assertEqual(problems(("<!-- run -->", "$ echo a"), ("<!-- output -->", "a")), [])

    def test_expected_status_is_demanded(self) -> None:
        self.assertEqual(problems(("<!-- run: exit=2 -->", "exit 2")), [])
        self.assertEqual(len(problems(("<!-- run: exit=2 -->", "exit 0"))), 1)

    def test_block_that_takes_too_long_fails(self) -> None:
        self.assertEqual(len(problems(("<!-- run: timeout=1 -->", "sleep 5"))), 1)

    def test_files_stay_for_the_next_block_and_out_of_the_repository(self) -> None:
        self.assertEqual(problems(("<!-- run -->", "echo x > made"), ("<!-- run -->", "cat made"), ("<!-- output -->", "x")), [])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "README.md")
            path.write_text(document(("<!-- run -->", "echo x > made")))
            under_test.check(path, Path(folder))
            self.assertFalse(Path(folder, "made").exists())

    def test_document_without_a_marked_block_fails(self) -> None:
        self.assertEqual(len(problems(("", "true"))), 1)


class Names(unittest.TestCase):
    LIST = "<!-- names of: printf 'name what\\n-----\\na-1 x\\nb y\\n' -->"

    def of(self, paragraph: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "README.md")
            path.write_text(f"{self.LIST}\n{paragraph}\n\nelsewhere `c`\n")
            return under_test.check(path, Path(folder))

    def test_paragraph_has_just_the_names_that_the_command_lists(self) -> None:
        self.assertEqual(self.of("There are `b`\nand `a-1`."), [])

    def test_name_that_is_missing_or_too_many_fails(self) -> None:
        self.assertIn("not in it: ['a-1']", self.of("`b`")[0])
        self.assertIn("only in it: ['z']", self.of("`a-1`, `b`, `z`")[0])


    def test_output_without_a_rule_of_dashes_lists_a_name_in_each_line(self) -> None:
        self.assertEqual(under_test.listed_names("b y\n\nc\n"), {"b", "c"})

    def test_rows_of_a_table_begin_with_just_the_names(self) -> None:
        table = "| `key` | what |\n|---|---|\n| `a` | not `x` |\n| `b` | y |\n"
        for command, breaches in (("printf 'a\\nb\\n'", 0), ("printf 'a\\n'", 1), ("printf 'a\\nb\\nc\\n'", 1)):
            with self.subTest(command=command), tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "README.md")
                path.write_text(f"<!-- rows of: {command} -->\n{table}\n`z`\n")
                self.assertEqual(len(under_test.check(path, Path(folder))), breaches)

    def test_mark_without_names_fails(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "README.md")
            path.write_text("<!-- names of: true -->\nnothing\n")
            self.assertIn("no names follow", under_test.check(path, Path(folder))[0])


class Comparing(unittest.TestCase):
    def test_both_streams_are_compared_without_trailing_blanks(self) -> None:
        self.assertEqual(problems(("<!-- run -->", "echo 'a  '\necho b >&2"), ("<!-- output -->", "a\nb")), [])

    def test_other_output_fails(self) -> None:
        self.assertEqual(len(problems(("<!-- run -->", "echo a"), ("<!-- output -->", "b"))), 1)
        self.assertEqual(len(problems(("<!-- run -->", "echo a; echo b"), ("<!-- output -->", "a"))), 1)

    def test_dots_stand_for_lines_or_for_text(self) -> None:
        self.assertTrue(under_test.matches("a\n...\nd", "a\nb\nc\nd\n", some=False))
        self.assertTrue(under_test.matches("took ... s", "took 1.25 s\n", some=False))
        self.assertFalse(under_test.matches("took ... s", "took 1.25 min\n", some=False))

    def test_some_lines_in_order(self) -> None:
        self.assertTrue(under_test.matches("b\nd", "a\nb\nc\nd\ne\n", some=True))
        self.assertFalse(under_test.matches("d\nb", "a\nb\nc\nd\ne\n", some=True))


class Faults(unittest.TestCase):
    def test_mark_without_block(self) -> None:
        with self.assertRaisesRegex(under_test.DocumentError, "line 1"):
            under_test.examples_of("<!-- run -->\ntext\n")

    def test_unknown_option(self) -> None:
        with self.assertRaisesRegex(under_test.DocumentError, "exti=2"):
            under_test.examples_of(document(("<!-- run: exti=2 -->", "true")))

    def test_output_without_commands(self) -> None:
        with self.assertRaisesRegex(under_test.DocumentError, "without commands"):
            under_test.examples_of(document(("<!-- output -->", "a")))

    def test_block_never_closed(self) -> None:
        with self.assertRaisesRegex(under_test.DocumentError, "never closed"):
            under_test.examples_of("<!-- run -->\n```sh\ntrue\n")


if __name__ == "__main__":
    unittest.main()
