"""Counters of a benchmark run beside a saved one."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cmake" / "bench"))
import compare  # noqa: E402


def _run(name: str, writes: float, **more: object) -> dict:
    return {"name": name, "run_type": "iteration", "host_writes_per_cpu_s": writes, "bytes_per_page": 8.0, **more}


class Counters(unittest.TestCase):
    def test_the_best_of_repetitions_counts_and_means_do_not(self) -> None:
        name = "firmware/bursts/64/iterations:1/manual_time"
        runs = [_run(name, 2e6), _run(name, 3e6), _run(name + "_mean", 9e6, run_type="aggregate")]
        cases = compare.counters_of({"benchmarks": runs})
        self.assertEqual(cases, {"firmware/bursts/64": {"host_writes_per_cpu_s": 3e6, "bytes_per_page": 8.0}})

    def test_each_counter_comes_with_its_ratio_where_the_saved_run_has_the_case(self) -> None:
        now = {"a": {"host_writes_per_cpu_s": 3e6}, "b": {"host_writes_per_cpu_s": 1e6}}
        lines = compare.table(now, {"a": {"host_writes_per_cpu_s": 2e6}}).splitlines()
        self.assertIn("3.00M  x 1.50", lines[1])
        self.assertNotIn(" x ", lines[2])
        self.assertEqual(len(lines), 3)


if __name__ == "__main__":
    unittest.main()
