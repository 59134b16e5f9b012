"""What of C++ headers of registers becomes C, and that a header which is not so any more is named."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("register_headers.py")

SOURCE = """// Registers of a lamp: constants, nothing else.
// Shared by the model and by firmware; includes no model, no SystemC.
#pragma once

#include <cstdint>

namespace ftlab::hw::lamp {

inline constexpr std::uint32_t kWindowBytes = 0x100;

namespace reg {
inline constexpr std::uint32_t kState = 0x04;  ///< write kOn
inline constexpr std::uint32_t kBoth =
    kState | 1;
}  // namespace reg

/// On it burns.
inline constexpr std::uint16_t kOn = 1;
constexpr bool burns(std::uint16_t state) { return state == kOn; }

enum class Colour : std::uint8_t { white, red };
struct Lamp {
  Colour colour = Colour::white;
  std::uint16_t power[2] = {};  ///< watts
};

}  // namespace ftlab::hw::lamp
"""

LINES = (
    "/* Registers of a lamp. */",
    "#define LAMP_WINDOW_BYTES 0x100u",
    "#define LAMP_REG_STATE 0x04u /* write LAMP_ON */",
    "#define LAMP_REG_BOTH 0x05u",
    "/* On it burns. */",
    "#define LAMP_ON 1",
    "enum lamp_colour { LAMP_COLOUR_WHITE, LAMP_COLOUR_RED };",
    "struct lamp_lamp {",
    "  uint8_t colour;",
    "  uint16_t power[2]; /* watts */",
    "};",
)


class RegisterHeaders(unittest.TestCase):
    def test_constants_enumerations_and_structures_become_c(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch)
            (root / "hw/regs").mkdir(parents=True)
            (root / "examples/firmware/common/regs").mkdir(parents=True)
            (root / "hw/regs/lamp_regs.h").write_text(SOURCE)

            def run(*options: str) -> subprocess.CompletedProcess[str]:
                return subprocess.run(
                    [sys.executable, SCRIPT, root, *options], capture_output=True, text=True, check=False
                )

            self.assertEqual(run().returncode, 1, "it is not there")
            self.assertEqual(run("--write").returncode, 0)
            text = (root / "examples/firmware/common/regs/lamp_regs.h").read_text()
            for line in LINES:
                self.assertIn(line + "\n", text)
            self.assertNotIn("burns(", text)
            self.assertEqual(run().returncode, 0)
            (root / "hw/regs/lamp_regs.h").write_text(SOURCE.replace("0x04", "0x08"))
            stale = run()
            self.assertEqual(stale.returncode, 1)
            self.assertIn("lamp_regs.h is not what lamp_regs.h makes", stale.stdout)


if __name__ == "__main__":
    unittest.main()
