"""A class in a third source file is found however it is written, and what only looks like one is not."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import class_rules  # noqa: E402


def _source(line: str, namespace: str = "ftlab") -> str:
    return f"namespace {namespace} {{\n\n{line} {{\n  return;\n}}\n\n}}  // namespace {namespace}\n"


def _in(count: int, line: str, namespace: str = "ftlab") -> list[tuple[str, str]]:
    return [(f"firmware/part_{i}.cpp", _source(line, namespace)) for i in range(count)]


class Classes(unittest.TestCase):
    def test_two_files_are_allowed_and_three_are_named(self) -> None:
        self.assertEqual(class_rules.breaches(_in(2, "void Driver::run()")), [])
        found = class_rules.breaches(_in(3, "void Driver::run()"))
        self.assertEqual(len(found), 1)
        self.assertIn("ftlab::Driver: in 3 source files (firmware/part_0.cpp, firmware/part_1.cpp", found[0])

    def test_every_kind_of_member_counts(self) -> None:
        for line in (
            "Driver::Driver(Port& port)",
            "Driver::~Driver()",
            "bool Driver::operator==(const Driver& other) const",
            "Driver& Driver::operator=(Driver&&) noexcept",
            "const std::vector<std::pair<int, int>>& Driver::all() const",
            "Driver::Result Driver::run(std::uint32_t (*now)())",
            "template <class T>\nvoid Driver<T>::run()",
            "void Driver::run(std::span<const Op> ops,\n                 bool wait)",
            "[[noreturn]] void Driver::fail()",
        ):
            with self.subTest(line=line):
                self.assertEqual(len(class_rules.breaches(_in(3, line))), 1)

    def test_a_class_inside_another_counts_for_itself(self) -> None:
        both = _in(2, "void Driver::run()") + [("firmware/c.cpp", _source("void Driver::Queue::push()"))]
        self.assertEqual(class_rules.breaches(both), [])

    def test_classes_of_other_namespaces_share_a_name(self) -> None:
        three = [(f"hw/{n}.cpp", _source("void Image::save()", f"ftlab::{n}")) for n in ("a", "b", "c")]
        self.assertEqual(class_rules.breaches(three), [])
        hidden = "namespace {\n\nvoid Image::save() {\n}\n\n}  // namespace\n"
        self.assertEqual(class_rules.breaches([(f"hw/{i}.cpp", hidden) for i in range(3)]), [])

    def test_calls_types_and_free_functions_are_no_members(self) -> None:
        for line in (
            "  Driver::run();\n  auto x = Driver::Driver(7)",
            "void reset(Driver::Result result)",
            "int cli::main(int count)",
            "const Table kTable = Driver::table(7);\nvoid f()",
            "std::vector<Driver::Result> all()",
        ):
            with self.subTest(line=line):
                self.assertEqual(class_rules.breaches(_in(3, line)), [])

    def test_this_repository_keeps_the_rule(self) -> None:
        root = Path(__file__).resolve().parents[2]
        self.assertEqual(class_rules.breaches(class_rules.sources(root)), [])


if __name__ == "__main__":
    unittest.main()
