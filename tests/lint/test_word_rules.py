"""Each word that was replaced is refused where it meant that thing, and plain English passes."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import word_rules  # noqa: E402

REFUSED = (
    ("tests/a.h", "// mounts after a power cut", "power loss"),
    ("tests/a.h", "flash.cut_power_at(7);", "power loss"),
    ("tests/a.h", "TEST(A, survives_a_cut_anywhere)", "power loss"),
    ("docs/a.md", "an erase that was cut", "interrupted"),
    ("tests/a.h", "enum class Tear { none };", "torn write"),
    ("tests/a.h", "void tear_program(Op op);", "torn write"),
    ("tests/a.h", "/// A new life on the same flash.", "mount session"),
    ("tests/a.h", "StoreSession life(flash);", "mount session"),
    ("tests/a.h", "std::function<void()> on_access;  // accidents happen here", "fault"),
    ("firmware/a.h", "// the newest anchor", "checkpoint"),
    ("firmware/a.h", "std::uint32_t home = 0;", "checkpoint segment"),
    ("firmware/a.h", "void bury(std::uint32_t segment);", "retire"),
    ("docs/a.md", "the birth record of a segment", "erase header"),
    ("firmware/a.h", "free, but unproven", "needs erase"),
    ("firmware/a.h", "carries a bad mark", "bad-block marker"),
    ("firmware/a.h", "struct PageRecord {", "page metadata"),
    ("firmware/a.h", "Journal& journal_;", "log"),
    ("firmware/a.h", "class Medium {", "page store"),
    ("tests/a.py", "stuck: int = 0", "unusable"),
    ("firmware/a.h", "void settle(Ticks now);", "advance_to"),
    ("firmware/a.h", "the buffer is given back", "release"),
    ("firmware/a.h", "std::uint32_t take_segment();", "allocate"),
    ("docs/a.md", "segments are gone on with", "resumed"),
    ("firmware/a.h", "void judge_space();", "update space state"),
    ("tests/a.cpp", "TEST(A, loss_is_told)", "reported"),
    ("firmware/a.h", "// a failure is told by the next flush", "reported"),
    ("firmware/a.h", "// the status tells whether it failed", "reports"),
    ("firmware/a.h", "struct EnergyPrices {", "cost"),
    ("platform/a.h", "std::vector<FreeValue> free_values();", "unpublished parameter"),
    ("platform/a.h", "struct FarmOptions {", "process pool"),
    ("docs/a.md", "the battery what-if", "battery estimate"),
    ("platform/a.h", "class Leftover {", "cleanup on signal"),
    ("platform/a.h", "constexpr int kMostLines = 16;", "kMax"),
    ("platform/a.h", "constexpr int kLeastDies = 1;", "kMin"),
    ("tests/a.cpp", "struct Rig {", "fixture"),
    ("tests/a.cpp", "struct Bench {", "fixture"),
)
PLAIN = (
    ("hw/a.cpp", "image is cut short; save it again"),
    ("workloads/a.cpp", "the sequence of a cut-off stream"),
    ("cmake/a.sh", "cut -d' ' -f1"),
    ("tests/a.h", "void TearDown() override;"),
    ("docs/a.md", "wear to end of life; it lives in the arena; the lifetime of a part; the stage `life`"),
    ("docs/a.md", "the home directory"),
    ("firmware/a.h", "kBadMarker"),
    ("reports/a.py", '"anchor": "start"'),
    ("platform/a.h", "the summary of a run"),
    ("platform/a.cpp", "Journal of Systems and Software; Table 4 of the journal paper"),
    ("firmware/a.h", "vpp_settle_ns; alpha settles near one half"),
    ("firmware/a.h", "take_request(tag); meter.take()"),
    ("hw/a.h", "the medium as a whole"),
    ("docs/a.md", "nothing can tell two of them apart; they are told apart by name"),
    ("firmware/a.h", "one watcher is told of every change; whatever they are told"),
    ("workloads/a.toml", 'source = "free: the paper does not give it"'),
    ("examples/a.h", "class Testbench : public sc_core::sc_module {"),
    ("platform/bench/a.cpp", "a benchmark"),
    ("firmware/a.h", "at most one; almost; foremost"),
)


class Words(unittest.TestCase):
    def test_replaced_word_is_refused_with_the_right_one(self) -> None:
        for path, line, write in REFUSED:
            with self.subTest(line=line):
                found = word_rules.breaches(path, "first\n" + line + "\n")
                self.assertTrue(found)
                self.assertTrue(found[0].startswith(f"{path}:2: "), found[0])
                self.assertIn(write, found[0].split("write: ")[1])

    def test_plain_english_passes(self) -> None:
        for path, line in PLAIN:
            with self.subTest(line=line):
                self.assertEqual(word_rules.breaches(path, line + "\n"), [])

    def test_every_rule_is_breached_by_a_line_above(self) -> None:
        for rule in word_rules._RULES:  # noqa: SLF001
            with self.subTest(rule=rule.pattern.pattern):
                hits = [line for path, line, _ in REFUSED if path.startswith(rule.within) and rule.pattern.search(line)]
                self.assertTrue(hits)
                self.assertTrue(all(rule.root in line.lower() for line in hits))

    def test_a_rule_of_one_folder_is_silent_elsewhere(self) -> None:
        self.assertEqual(word_rules.breaches("reports/a.py", "summary = 1; anchor = 2\n"), [])

    def test_what_is_allowed_is_allowed_in_its_file_alone(self) -> None:
        line = 'flow<&Stats::checkpoints>("anchors", "", "checkpoints written"),\n'
        self.assertEqual(word_rules.breaches("firmware/ftl/flexfs/flexfs_stats.h", line), [])
        self.assertNotEqual(word_rules.breaches("firmware/ftl/flexfs/state.h", line), [])

    def test_file_names_are_read_too(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "platform").mkdir()
            (Path(folder) / "platform" / "what_if.h").write_text("#pragma once\n")
            found = word_rules.check(Path(folder))
            self.assertEqual(len(found), 1)
            self.assertIn("its name", found[0])

    def test_this_repository_keeps_the_rules(self) -> None:
        self.assertEqual(word_rules.check(Path(__file__).resolve().parents[2]), [])


if __name__ == "__main__":
    unittest.main()
