"""Each rule is breached on purpose: the check must see it, and must let the lawful neighbour pass."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import include_rules  # noqa: E402


def breaches(path: str, *lines: str) -> list[str]:
    """Breaches of a file that is in order but for these lines."""
    head = "// Duty.\n#pragma once\n" if path.endswith(".h") else "// Duty.\n"
    return include_rules.breaches(path, head + "\n".join(lines) + "\n")


class Arrows(unittest.TestCase):
    REFUSED = (
        ("common/ids.h", "firmware/ftl/ftl.h"),
        ("common/ids.h", "hw/shell/time_hint.h"),
        ("firmware/ftl/ftl.h", "hw/series2plus/shell.h"),
        ("firmware/ftl/fms/mount.cpp", "hw/shell/time_hint.h"),
        ("firmware/ftl/fms/mount.cpp", "platform/machine/processor_profile.h"),
        ("firmware/ftl/fms/mount.cpp", "workloads/request.h"),
        ("firmware/ftl/ftl.h", "common/toml/toml_file.h"),
        ("hw/series2plus/shell.h", "firmware/port/flash_port.h"),
        ("hw/series2plus/shell.h", "platform/machine/processor_profile.h"),
        ("common/toml/toml_file.cpp", "hw/series2plus/shell.h"),
        ("hw/series2plus/core.cpp", "hw/shell/time_hint.h"),
        ("hw/regs/series2plus_regs.h", "common/toml/toml_file.h"),
        ("workloads/request.h", "firmware/ftl/ftl.h"),
        ("workloads/request.h", "platform/machine/processor_profile.h"),
        ("platform/cli/main.cpp", "tests/fixtures/oracle.h"),
        ("firmware/ftl/fms/mount.cpp", "tests/fixtures/oracle.h"),
    )
    ALLOWED = (
        ("firmware/driver/driver.cpp", "hw/regs/series2plus_regs.h"),
        ("firmware/ftl/fms/mount.cpp", "common/ids.h"),
        ("hw/series2plus/shell.h", "common/toml/toml_file.h"),
        ("workloads/request.h", "common/units.h"),
        ("platform/machine/native_processor.h", "firmware/port/mmio_port.h"),
        ("platform/machine/native_processor.h", "hw/shell/time_hint.h"),
        ("tests/ftl/mount_test.cpp", "tests/fixtures/oracle.h"),
        ("examples/page_ftl/main.cpp", "tests/outside_every_layer.h"),
    )

    def test_include_against_an_arrow_is_refused(self) -> None:
        for path, included in self.REFUSED:
            with self.subTest(path=path, included=included):
                found = breaches(path, f'#include "{included}"')
                self.assertEqual(len(found), 1, found)
                line = 3 if path.endswith(".h") else 2
                self.assertTrue(found[0].startswith(f"{path}:{line}: "), found[0])
                self.assertIn(included, found[0])

    def test_include_along_an_arrow_is_allowed(self) -> None:
        for path, included in self.ALLOWED:
            with self.subTest(path=path, included=included):
                self.assertEqual(breaches(path, f'#include "{included}"'), [])

    def test_angle_brackets_do_not_hide_a_breach(self) -> None:
        self.assertEqual(len(breaches("common/ids.h", "#include <firmware/ftl/ftl.h>")), 2)

    def test_relative_include_is_refused(self) -> None:
        for spelling in ("../ftl.h", "ftl.h", "common/../firmware/ftl.h"):
            with self.subTest(spelling=spelling):
                self.assertEqual(len(breaches("firmware/ftl/fms/mount.cpp", f'#include "{spelling}"')), 1)


class SystemC(unittest.TestCase):
    def test_systemc_is_refused_where_the_code_must_do_without(self) -> None:
        for path in ("common/a.h", "firmware/a.cpp", "hw/regs/a.h", "common/toml/a.cpp", "hw/series2plus/core.cpp", "workloads/a.cpp"):
            for header in ("systemc", "systemc.h", "tlm", "tlm_utils/simple_target_socket.h", "sysc/kernel/sc_time.h"):
                with self.subTest(path=path, header=header):
                    self.assertEqual(len(breaches(path, f"#include <{header}>")), 1)

    def test_systemc_is_allowed_in_modules_and_platform(self) -> None:
        for path in ("hw/series2plus/shell.h", "platform/machine/a.cpp", "tests/device/a.cpp"):
            with self.subTest(path=path):
                self.assertEqual(breaches(path, "#include <systemc>", "#include <tlm>"), [])


class Firmware(unittest.TestCase):
    def test_what_a_target_lacks_is_refused(self) -> None:
        for line in (
            "#include <iostream>",
            "#include <vector>",
            "#include <cmath>",
            "void f() { throw 1; }",
            "void f() { try { g(); } catch (int) {} }",
            "auto* p = dynamic_cast<A*>(q);",
            "auto t = std::chrono::steady_clock::now();",
            "int* p = new int[3];",
            "void* p = std::malloc(3);",
        ):
            with self.subTest(line=line):
                self.assertGreaterEqual(len(breaches("firmware/ftl/fms/mount.cpp", line)), 1)

    def test_words_in_comments_and_texts_are_no_code(self) -> None:
        for line in (
            "// throw (nothing); a new segment; try (again)",
            "/* catch (this)\n throw (that) */",
            'const char* kText = "throw (x)";',
            "auto* p = new (where) Page{};",
            "int retry_count = 0; bool catchable = true; int new_segment = 0;",
        ):
            with self.subTest(line=line):
                self.assertEqual(breaches("firmware/ftl/fms/mount.cpp", line), [])

    def test_other_layers_may_throw(self) -> None:
        self.assertEqual(breaches("common/toml/toml_file.cpp", "#include <vector>", "void f() { throw 1; }"), [])

    def test_a_benchmark_beside_the_firmware_runs_on_the_host(self) -> None:
        self.assertEqual(breaches("firmware/bench/a.cpp", "#include <vector>", '#include "hw/shell/time_hint.h"'), [])


class Form(unittest.TestCase):
    def test_header_without_guard_is_refused(self) -> None:
        self.assertEqual(len(include_rules.breaches("common/a.h", "// Duty.\n")), 1)

    def test_header_without_opening_comment_is_refused(self) -> None:
        self.assertEqual(len(include_rules.breaches("common/a.h", "#pragma once\n")), 1)


class WholeTree(unittest.TestCase):
    def test_a_breach_in_a_tree_is_found_and_fails(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "workloads", "bad.cpp")
            source.parent.mkdir()
            source.write_text('// Duty.\n#include "platform/machine/processor_profile.h"\n')
            self.assertEqual(len(include_rules.check(Path(folder))), 1)
            self.assertEqual(include_rules.main([folder]), 1)
            source.write_text('// Duty.\n#include "common/ids.h"\n')
            self.assertEqual(include_rules.main([folder]), 0)


if __name__ == "__main__":
    unittest.main()
