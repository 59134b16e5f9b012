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
        ("firmware/ftl/fms/mount.cpp", "platform/files/processor_profile.h"),
        ("firmware/ftl/fms/mount.cpp", "workloads/request.h"),
        ("firmware/ftl/ftl.h", "common/toml/toml_file.h"),
        ("hw/series2plus/shell.h", "firmware/port/flash_port.h"),
        ("hw/series2plus/shell.h", "platform/files/processor_profile.h"),
        ("common/toml/toml_file.cpp", "hw/series2plus/shell.h"),
        ("hw/series2plus/core.cpp", "hw/shell/time_hint.h"),
        ("hw/regs/series2plus_regs.h", "common/toml/toml_file.h"),
        ("workloads/request.h", "firmware/ftl/ftl.h"),
        ("workloads/request.h", "platform/files/processor_profile.h"),
        ("platform/cli/main.cpp", "tests/fixtures/emulated_flash.h"),
        ("firmware/ftl/fms/mount.cpp", "tests/fixtures/emulated_flash.h"),
        # Rooms of a layer.
        ("firmware/port/flash_port.h", "firmware/base/little_endian.h"),
        ("firmware/base/little_endian.h", "firmware/map/segment_table.h"),
        ("firmware/map/segment_table.h", "firmware/volume/log/log.h"),
        ("firmware/driver/onenand/driver.cpp", "firmware/map/segment_table.h"),
        ("firmware/driver/onenand/driver.cpp", "firmware/ftl/ftl.h"),
        ("firmware/policy/families.h", "firmware/volume/log/log.h"),
        ("firmware/volume/log/log.cpp", "firmware/driver/onenand/driver.h"),
        ("firmware/volume/log/log.cpp", "hw/regs/onenand_regs.h"),
        ("firmware/volume/format/trim_record.h", "firmware/volume/log/log.h"),
        ("firmware/volume/clean/own_choices.cpp", "firmware/volume/log/log.h"),
        ("firmware/volume/log/log.h", "firmware/volume/requests/workbench.h"),
        ("firmware/volume/requests/merges.h", "firmware/volume/mount/mount.h"),
        ("firmware/volume/log/page_by_page.h", "firmware/ftl/page/page_ftl.h"),
        ("firmware/policy/families.h", "firmware/ftl/ftl.h"),
        ("firmware/policy/families.h", "firmware/driver/onenand/driver.h"),
        ("firmware/ftl/fms/fms_config.cpp", "firmware/driver/onenand/driver.h"),
        ("firmware/ftl/in_place/in_place.h", "firmware/driver/common/part_port.h"),
        ("firmware/policy/policy.h", "firmware/driver/common/part_port.h"),
        ("firmware/ftl/fms/fms_config.cpp", "firmware/target/main.h"),
        ("firmware/ftl/fms/fms_config.cpp", "hw/regs/onenand_regs.h"),
        ("hw/base/observer.h", "hw/regs/onenand_regs.h"),
        ("hw/base/observer.h", "hw/shell/time_hint.h"),
        ("hw/regs/onenand_regs.h", "hw/base/observer.h"),
        ("hw/shell/bus_target.cpp", "firmware/port/flash_port.h"),
        ("hw/series2plus/core.cpp", "hw/onenand/core.h"),
        ("hw/onenand/core.cpp", "hw/series2plus/core.h"),
        ("hw/onenand/core.cpp", "hw/shell/time_hint.h"),
        ("platform/study/study.cpp", "platform/machine/machine.h"),
        ("platform/files/derived_file.h", "platform/study/study.h"),
        ("platform/files/host_file.h", "platform/machine/processor.h"),
        ("platform/study/study.h", "firmware/ftl/fms/fms_config.h"),
        ("platform/study/study.h", "firmware/driver/array/config.h"),
        ("platform/study/study.h", "hw/onenand/spec/choices.h"),
        ("platform/study/keys.cpp", "firmware/driver/array/config.h"),
        ("platform/study/part_family.cpp", "firmware/ftl/fms/fms_config.h"),
        ("platform/study/keys.cpp", "platform/firmwares/firmware_instance.h"),
        ("platform/firmwares/fms.cpp", "platform/machine/device.h"),
        ("platform/firmwares/fms.cpp", "platform/analytic/model.h"),
        ("platform/firmwares/fms.cpp", "hw/series2plus/shell.h"),
        ("platform/machine/machine.cpp", "platform/firmwares/firmware_instance.h"),
        ("platform/study/study.cpp", "platform/host/host.h"),
        ("platform/analytic/model.cpp", "common/toml/toml_file.h"),
        ("platform/analytic/model.cpp", "platform/measure/figures.h"),
        ("platform/host/host.cpp", "platform/machine/processor.h"),
        ("platform/host/host.cpp", "platform/machine/ledger.h"),
        ("platform/host/host.cpp", "firmware/ftl/ftl.h"),
        ("platform/host/host.cpp", "hw/base/observer.h"),
        ("platform/host/storage_client.cpp", "platform/machine/ledger.h"),
        ("platform/host/storage_client.cpp", "hw/base/observer.h"),
        ("platform/machine/machine.cpp", "platform/host/host.h"),
        ("platform/machine/machine.cpp", "platform/run/session.h"),
        ("platform/machine/machine.cpp", "platform/measure/figures.h"),
        ("platform/measure/figures.cpp", "platform/run/session.h"),
        ("platform/firmwares/page.cpp", "platform/files/data_files.h"),
        ("platform/machine/machine.cpp", "workloads/request.h"),
    )
    ALLOWED = (
        ("firmware/driver/driver.cpp", "hw/regs/series2plus_regs.h"),
        ("firmware/ftl/fms/mount.cpp", "common/ids.h"),
        ("hw/series2plus/shell.h", "common/toml/toml_file.h"),
        ("workloads/request.h", "common/units.h"),
        ("platform/machine/processor.h", "firmware/port/mmio_port.h"),
        ("platform/machine/processor.h", "hw/shell/time_hint.h"),
        ("tests/ftl/mount_test.cpp", "tests/fixtures/emulated_flash.h"),
        ("examples/page_ftl/main.cpp", "tests/outside_every_layer.h"),
        # Rooms of a layer.
        ("firmware/base/little_endian.h", "firmware/port/flash_port.h"),
        ("firmware/map/segment_table.h", "firmware/base/arena.h"),
        ("firmware/driver/onenand/driver.cpp", "firmware/base/little_endian.h"),
        ("firmware/volume/log/log.cpp", "firmware/map/segment_table.h"),
        ("firmware/volume/clean/log_policies.h", "firmware/policy/policy_set.h"),
        ("firmware/volume/clean/own_choices.cpp", "firmware/map/listed_segments.h"),
        ("firmware/volume/mount/mount.h", "firmware/volume/requests/workbench.h"),
        ("firmware/volume/log/log.h", "firmware/volume/volume_config.h"),
        ("firmware/ftl/fms/fms_config.cpp", "firmware/policy/policies.h"),
        ("firmware/ftl/fms/fms_config.cpp", "firmware/volume/log/log.h"),
        ("firmware/target/main.cpp", "firmware/driver/onenand/driver.h"),
        ("firmware/target/main.cpp", "firmware/ftl/ftl.h"),
        ("hw/base/observer.h", "common/units.h"),
        ("hw/series2plus/core.cpp", "hw/base/observer.h"),
        ("hw/onenand/core.cpp", "hw/regs/onenand_regs.h"),
        ("hw/series2plus/shell.cpp", "hw/shell/time_hint.h"),
        ("hw/onenand/shell.h", "hw/shell/time_hint.h"),
        ("platform/study/study.cpp", "workloads/request.h"),
        ("platform/study/part_family.cpp", "firmware/driver/array/config.h"),
        ("platform/study/part_family.cpp", "hw/onenand/spec/choices.h"),
        ("platform/study/part_kind.cpp", "platform/files/data_files.h"),
        ("platform/firmwares/fms.cpp", "firmware/ftl/fms/fms_config.h"),
        ("platform/firmwares/fms.cpp", "platform/study/firmware_row.h"),
        ("platform/firmwares/pool_arithmetic.cpp", "platform/analytic/model.h"),
        ("platform/analytic/model.cpp", "common/input_error.h"),
        ("platform/host/host.cpp", "firmware/port/host_port.h"),
        ("platform/host/host.cpp", "workloads/request.h"),
        ("platform/host/storage_client.cpp", "firmware/ftl/serve.h"),
        ("platform/host/storage_client.h", "platform/machine/processor.h"),
        ("platform/study/study_files.cpp", "platform/files/host_file.h"),
        ("platform/machine/machine.cpp", "platform/study/study.h"),
        ("platform/machine/machine.cpp", "platform/files/host_file.h"),
        ("platform/run/session.cpp", "platform/host/host.h"),
        ("platform/cli/cmd_run.cpp", "platform/run/runner.h"),
    )
    FIRMWARE_ROOMS = ("port", "base", "map", "driver", "volume", "policy", "ftl", "target")

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

    def test_no_room_of_the_firmware_reads_toml(self) -> None:
        for room in self.FIRMWARE_ROOMS:
            with self.subTest(room=room):
                self.assertEqual(len(breaches(f"firmware/{room}/a.cpp", '#include "common/toml/toml_file.h"')), 1)
                self.assertEqual(breaches(f"firmware/{room}/a.cpp", '#include "common/ids.h"'), [])

    def test_angle_brackets_do_not_hide_a_breach(self) -> None:
        self.assertEqual(len(breaches("common/ids.h", "#include <firmware/ftl/ftl.h>")), 2)

    def test_relative_include_is_refused(self) -> None:
        for spelling in ("../ftl.h", "ftl.h", "common/../firmware/ftl.h"):
            with self.subTest(spelling=spelling):
                self.assertEqual(len(breaches("firmware/ftl/fms/mount.cpp", f'#include "{spelling}"')), 1)


class SystemC(unittest.TestCase):
    def test_systemc_is_refused_where_the_code_must_do_without(self) -> None:
        for path in (
            *("common/a.h", "common/toml/a.cpp", "workloads/a.cpp"),
            *("firmware/a.cpp", "firmware/driver/onenand/a.cpp", "firmware/volume/a.cpp"),
            *("hw/base/a.h", "hw/regs/a.h", "hw/series2plus/core.cpp", "hw/onenand/core.cpp"),
            *("platform/study/a.cpp", "platform/host/a.cpp", "platform/host/storage_client.cpp"),
        ):
            for header in ("systemc", "systemc.h", "tlm", "tlm_utils/simple_target_socket.h", "sysc/kernel/sc_time.h"):
                with self.subTest(path=path, header=header):
                    self.assertEqual(len(breaches(path, f"#include <{header}>")), 1)

    def test_systemc_is_allowed_in_modules_and_platform(self) -> None:
        for path in (
            *("hw/series2plus/shell.h", "hw/onenand/shell.h", "hw/shell/a.cpp"),
            *("platform/machine/a.cpp", "platform/run/a.cpp", "tests/device/a.cpp"),
        ):
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


class FirmwareNames(unittest.TestCase):
    NAMES = ("fms", "page", "in_place", "array", "flexonenand")

    def found(self, path: str, line: str) -> list[str]:
        return include_rules.name_breaches(path, line + "\n", list(self.NAMES))

    def test_a_firmwares_name_in_the_platform_is_refused(self) -> None:
        for line in (
            'if (study.ftl.firmware != "page") return;',
            'return "fms" == name;',
            'const Condition known{"ftl.firmware", "fms|page"};',
            'text = "with ftl.firmware = \\"page\\" only";',
            'if (part.family == "array") return;',
            'keys.add(rows, {"driver", {}, "flexonenand"});',
            "if (find_part_family(name) == &kArrayFamily) return;",
        ):
            with self.subTest(line=line):
                found = self.found("platform/run/session.cpp", line)
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith("platform/run/session.cpp:1: "), found[0])

    def test_other_words_comments_and_the_firmwares_own_files_pass(self) -> None:
        for path, line in (
            ("platform/run/session.cpp", 'const char* text = "a page";'),
            ("platform/run/session.cpp", 'int i = 0;  // as "page" has it'),
            ("platform/study/keys.cpp", '{"in_place", Update::in_place}'),
            ("platform/firmwares/page.cpp", '.name = "page",'),
            ("platform/study/part_family.cpp", '.name = "array",'),
            ("platform/measure/result_schema.cpp", 'return {{"type", "array"}};'),
            ("platform/machine/families/families.cpp", "{&kArrayFamily, array_factory},"),
            ("platform/bench/array/array_bench.cpp", 'set("ftl.firmware", "page");'),
            ("tests/system/page_test.cpp", 'EXPECT_EQ(study.ftl.firmware, "page");'),
        ):
            with self.subTest(path=path, line=line):
                self.assertEqual(self.found(path, line), [])

    def test_the_tree_has_a_list_of_names(self) -> None:
        root = Path(__file__).resolve().parents[2]
        self.assertIn("page", include_rules.firmwares_of(root))
        self.assertEqual(sorted(include_rules.families_of(root)), ["array", "flexonenand", "series2plus"])

    def test_names_are_those_of_the_list(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            rooms = Path(folder, "platform")
            for room in ("firmwares", "run"):
                Path(rooms, room).mkdir(parents=True)
            Path(rooms, "firmwares", "members.inc").write_text("// A list.\nFTLAB_MEMBER(newest_one)\n")
            source = Path(rooms, "run", "a.cpp")
            source.write_text('// Duty.\nbool f(auto& s) { return s.ftl.firmware == "newest_one"; }\n')
            self.assertEqual(len(include_rules.check(Path(folder))), 1)
            source.write_text('// Duty.\nbool f(auto& s) { return s.ftl.firmware == "another"; }\n')
            self.assertEqual(include_rules.check(Path(folder)), [])


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
            source.write_text('// Duty.\n#include "platform/files/processor_profile.h"\n')
            self.assertEqual(len(include_rules.check(Path(folder))), 1)
            self.assertEqual(include_rules.main([folder]), 1)
            source.write_text('// Duty.\n#include "common/ids.h"\n')
            self.assertEqual(include_rules.main([folder]), 0)


if __name__ == "__main__":
    unittest.main()
