"""Mistakes as one makes them in a firmware: each ends the run with one line that says where and why, and exit status 2.

Usage: own_mistakes.py FTLAB [UNITTEST-ARGUMENT...]. Needs the cross compilers. Standard library only.
Environment: FTLAB_SHARE=FIRST/OF = which part of the tests, 0/1 unless given.
"""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import own_firmware
from own_firmware import CORES, changed, share_of

SERVE = "    const enum status status = serve"
WHOLE = "(counted - 1) * flash.slots * MILLIONTHS"
FIRST_LINE_OF_WRITE = "  for (const uint8_t* data = from; length > 0;) {\n"


class Mistakes(own_firmware.WithProjects):
    def ends_with(self, pattern: str, file: str, old: str, new: str, cores: tuple[str, ...] = CORES) -> None:
        for core in cores:
            with self.subTest(core), changed(self.projects[core], file, old, new):
                # A slow core comes sooner to the end of the time that it is given.
                done = self.projects[core].run("workload.total_mib=0.2", "platform.core_mhz=4")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertRegex(done.stderr, "^ftlab: error: build/firmware.elf: " + pattern)

    def test_division_by_zero(self) -> None:
        self.ends_with(
            r"the firmware stops by itself: .*division by zero.*; at ftl_write\+0x\w+ \(0x\w+, ftl.c:\d+\), ",
            "src/ftl.c",
            FIRST_LINE_OF_WRITE,
            "  static volatile uint32_t none;\n  next_sequence += length / none;\n" + FIRST_LINE_OF_WRITE,
        )

    def test_main_returns(self) -> None:
        self.ends_with(
            r"the firmware has ended: main has returned; at start\+0x\w+ \(0x\w+, start.c:\d+\), ",
            "src/main.c",
            "  for (;;) {\n    sleep_until",
            "  for (int i = 0; i < 3; ++i) {\n    sleep_until",
        )

    def test_a_buffer_is_overrun_to_the_end_of_static_data(self) -> None:
        self.ends_with(
            r"the firmware reaches beyond the end of its static data, at 0x2000\w+; at memset\+",
            "src/ftl.c",
            "  memset(place, 0xFF, pages * sizeof place[0]);\n  return good",
            "  memset(place, 0xFF, 128u << 20);\n  return good",
        )

    def test_the_stack_overflows(self) -> None:
        deep = "static int deep(volatile int n) {\n  volatile char room[256] = {0};\n"
        deep += "  return n == 0 ? room[9] : deep(n - 1) + room[n % 256];\n}\n"
        self.ends_with(
            r"the firmware needs more stack than there is; at deep\S* \(0x\w+, ftl.c:\d+\), ",
            "src/ftl.c",
            "enum status ftl_format(void) {\n",
            deep + "enum status ftl_format(void) {\n  next_sequence += (uint32_t)deep(100);\n",
        )

    def test_memory_beyond_the_end_of_ram(self) -> None:
        self.ends_with(
            r"the firmware stops by itself: bus error at 0x24000000: .*; at main\S* \(0x\w+, main.c:\d+\), ",
            "src/main.c",
            SERVE,
            "    *(volatile uint32_t*)0x24000000u = tag;\n" + SERVE,
        )

    def test_a_call_into_nowhere_names_who_called(self) -> None:
        self.ends_with(
            r"the firmware stops by itself: .*; at 0x30000000, come from main\S* \(0x\w+, main.c:\d+\), ",
            "src/main.c",
            SERVE,
            "    void (*volatile callback)(void) = (void (*)(void))0x30000000u;\n    callback();\n" + SERVE,
        )

    def test_a_call_of_address_0(self) -> None:
        call = "    void (*volatile callback)(void) = 0;\n    callback();\n"
        ends = {
            "arm": r"stops by itself: .*; at vectors \(0x0\), come from main\S* \(0x\w+, main.c:\d+\), ",
            "riscv": r"writes its report once more: it has begun anew without a reset, .*; at main\S* \(0x\w+, main.c:",
        }
        for core, end in ends.items():
            self.ends_with("the firmware " + end, "src/main.c", SERVE, call + SERVE, (core,))

    def test_a_store_to_address_0(self) -> None:
        self.ends_with(
            r"the firmware stores to \w+ \(0x0.*, which is flash, and cannot be written; at main\S* \(0x\w+, main.c:\d+\), ",
            "src/main.c",
            SERVE,
            "    *(volatile uint32_t*)0 = tag;\n" + SERVE,
        )

    def test_polls_a_part_for_what_does_not_come(self) -> None:
        self.ends_with(
            r"the firmware waits for what does not come: it has read the same for 20 s of simulated time, at last 0x8080 at "
            r"0x60000000, with 1 request of the host unanswered; at card_erase\S* \(0x\w+, card.c:\d+\), ",
            "src/card.c",
            "sleep_until_ready(base) & BOTH(STATUS_ERRORS)",
            "poll(base, 0x04, true) & BOTH(STATUS_ERRORS)",
            ("arm",),
        )

    def test_waits_for_ever_in_memory(self) -> None:
        self.ends_with(
            r"the firmware has asked neither the part nor the host queue for 20 s of simulated time, though it is waited "
            r"for, with 1 request of the host unanswered; at main\S* \(0x\w+, main.c:\d+\), ",
            "src/main.c",
            SERVE,
            "    static volatile int flag;\n    while (flag == 0) {\n    }\n" + SERVE,
            ("riscv",),
        )

    def test_does_not_answer(self) -> None:
        self.ends_with(
            r"the firmware sleeps, and nothing will ever wake it, with 1 request of the host unanswered; at main\S* "
            r"\(0x\w+, main.c:\d+\), ",
            "src/main.c",
            "    QUEUE->done = status;",
            "    if (kind != WRITE) QUEUE->done = status;",
        )

    def test_answers_what_nobody_asked(self) -> None:
        self.ends_with(
            r"the firmware completes a request that is not in flight, tag \d+; at main\S* \(0x\w+, main.c:\d+\), ",
            "src/main.c",
            "    QUEUE->done_tag = tag;",
            "    QUEUE->done_tag = tag + 1;",
        )

    def test_an_illegal_instruction(self) -> None:
        self.ends_with(
            r"the firmware stops by itself: illegal instruction: .*; at main\S* \(0x\w+, main.c:\d+\), ",
            "src/main.c",
            SERVE,
            '    __asm volatile("udf #0");\n' + SERVE,
            ("arm",),
        )
        self.ends_with(
            r"the firmware stops by itself: illegal instruction: .*; at main\S* \(0x\w+, main.c:\d+\), ",
            "src/main.c",
            SERVE,
            '    __asm volatile(".word 0");\n' + SERVE,
            ("riscv",),
        )

    def test_does_not_report(self) -> None:
        self.ends_with(
            r"the firmware sleeps, and nothing will ever wake it, before it has written its report; at main",
            "src/main.c",
            "  QUEUE->report = (uint32_t)(uintptr_t)&report;",
            "",
        )

    def test_reports_what_no_firmware_has(self) -> None:
        for wrong, text in (
            ("report.version = 7;", "the report of the firmware has version 7; write 1 in its first word"),
            ("report.page_bytes = 5000;", "the report of the firmware says pages of 5000 bytes"),
            ("report.page_bytes = 65536;", "the report of the firmware says a capacity of"),
        ):
            self.ends_with(text, "src/main.c", "report.page_bytes = offer.page_bytes;", wrong, ("arm",))

    def test_offers_another_size_after_a_loss_of_power(self) -> None:
        project = self.projects["arm"]
        offers = "report.capacity_bytes = offer.bytes"
        smaller = offers + " - (*(volatile uint16_t*)PART == 0xFFFF ? 0 : 4096)"
        with changed(project, "src/main.c", offers, smaller):
            done = project.run("power.loss_at_program=[40]")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"firmware.elf: the firmware offers \d+ bytes after a loss of power, and offered")

    def test_reports_more_than_it_can_hold(self) -> None:
        project = self.projects["arm"]
        with changed(project, "src/ftl.c", "(counted - KEPT_FREE - 1) * flash.slots * (MILLIONTHS - spare)", WHOLE):
            done = project.run()
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"the initial fill failed .*no space.*reports a larger capacity than it can hold")

    def test_does_not_serve_such_a_part(self) -> None:
        project = self.projects["riscv"]
        done = project.run("part=flexonenand-4gb", "host=omap2420-400")
        self.assertEqual(done.returncode, 2)
        self.assertIn("build/firmware.elf: the firmware ", done.stderr)

    def test_an_interrupt_is_not_claimed(self) -> None:
        self.ends_with(
            r"the firmware has asked neither .*; an interrupt is pending, and comes again until its handler claims it; at trap",
            "core/core.c",
            "  const uint32_t source = PLIC_CLAIM;\n  PLIC_CLAIM = source;\n",
            "",
            ("riscv",),
        )

    def test_an_interrupt_comes_again_at_once(self) -> None:
        # The controller of ARM forgets a line when its handler begins; this one calls itself.
        self.ends_with(
            r"the firmware has asked neither .*; it is in the handler of interrupt [01]; at line\S* \(0x\w+, core.c:\d+\)",
            "core/core.c",
            "static void line(void) {}",
            "static void line(void) { REGISTER(0xE000E200u) = 1u << INTERRUPT_QUEUE | 1u << INTERRUPT_PART_READY; }",
            ("arm",),
        )

    def test_an_interrupt_has_no_handler(self) -> None:
        self.ends_with(
            r"the firmware stops by itself: .*; at vectors \(0x0\); it is in the handler of interrupt 0, ",
            "core/core.c",
            "{[INTERRUPT_PART_READY] = line, ",
            "{",
            ("arm",),
        )

    def test_an_interrupt_is_not_completed(self) -> None:
        self.ends_with(
            r"the firmware sleeps, .*; interrupt 0 has been claimed and not completed, so it comes no more; at card_erase",
            "core/core.c",
            "  const uint32_t source = PLIC_CLAIM;\n  PLIC_CLAIM = source;\n",
            "  (void)PLIC_CLAIM;\n",
            ("riscv",),
        )

    def test_linked_at_another_address(self) -> None:
        board = r"the board has 512 KiB of flash at 0x0 and 64 MiB of RAM at 0x20000000 \(docs/cores.md\)"
        flash, ram = "ORIGIN = 0x00000000, LENGTH = 512K", "ORIGIN = 0x20000000, LENGTH = 64M"
        self.ends_with(
            r"is linked for memory at 0x8000000, \d+ bytes; " + board,
            "src/board.ld",
            flash,
            flash.replace("0x00", "0x08"),
            ("arm",),
        )
        self.ends_with(
            r"is linked for memory at 0x80000000, \d+ bytes; " + board,
            "src/board.ld",
            ram,
            ram.replace("0x2", "0x8"),
            ("riscv",),
        )

    def test_another_than_the_code_of_reset_comes_first(self) -> None:
        for core, text in (
            ("arm", "no table of vectors is at 0x0, where the core begins"),
            ("riscv", "its entry is at 0x"),
        ):
            self.ends_with(
                text, "src/board.ld", "KEEP(*(.begin)) *(.text .text.*)", "*(.text .text.*) KEEP(*(.begin))", (core,)
            )


def load_tests(_loader: unittest.TestLoader, tests: unittest.TestSuite, _pattern: str | None) -> unittest.TestSuite:
    return share_of(tests)


if __name__ == "__main__":
    own_firmware.PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
