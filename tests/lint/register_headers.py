#!/usr/bin/env python3
"""C headers of the registers for firmware of one's own, made of those that model and drivers share (hw/regs).

Usage: register_headers.py ROOT [--write]. Without --write says which of them are not as they would be written, and exits
1. Constants, enumerations and plain structures become C; functions are left out. Standard library only.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

_TO = Path("examples/firmware/common/regs")
_CONSTANT = re.compile(r"^inline constexpr (?:std::uint(?:8|16|32)_t|unsigned) k(\w+)\s*=\s*([^;]+);(?:\s*///< (.*))?$")
_ENUM = re.compile(r"^enum class (\w+) : std::uint(8|16|32)_t \{(.*)$")
_STRUCT = re.compile(r"^struct (\w+) \{$")
_FIELD = re.compile(r"^(?:std::)?(\w+) (\w+)(\[\d+\])?(?:\s*=\s*[^;]+)?;(?:\s*///< (.*))?$")


def _upper(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


class Header:
    """One header, line by line, with what its names stand for."""

    def __init__(self, source: Path) -> None:
        self.values: dict[str, int] = {}
        self.enums: dict[str, str] = {}
        self.rooms: list[str] = []
        self.lines: list[str] = []
        self._translate(source.read_text().splitlines())

    def _name(self, name: str) -> str:
        return "_".join(_upper(part) for part in [*self.rooms, name])

    def _value(self, text: str) -> int:
        text = re.sub(r"static_cast<[^>]+>", "", text)
        text = re.sub(r"\b(0x[0-9A-Fa-f]+|\d+)U(?:LL)?\b", r"\1", text)

        def known(match: re.Match[str]) -> str:
            path = [_upper(part) for part in match[0].removeprefix("k").replace("::k", "::").split("::")]
            for depth in range(len(self.rooms), -1, -1):
                name = "_".join([*(_upper(room) for room in self.rooms[:depth]), *path])
                if name in self.values:
                    return str(self.values[name])
            raise ValueError(f"{match[0]} is not known")

        return int(eval(re.sub(r"\b[a-z_0-9]*(?:::)?k[A-Z]\w*", known, text), {"__builtins__": {}}))

    def _translate(self, source: list[str]) -> None:
        text = iter(source)
        began = False
        said: list[str] = []
        for line in text:
            line = line.strip()
            if said and not line.startswith("//"):
                self._say(" ".join(said))
                said = []
            if line.startswith("namespace ") and line.endswith("{"):
                rooms = line.split()[1].split("::")
                self.rooms += rooms[2:] if not began else rooms
                began = True
            elif line.startswith("}  // namespace"):
                left = line.split()[-1].split("::")
                del self.rooms[-len(left[2:] if left[0] == "ftlab" else left) :]
            elif line.startswith("//") and not line.startswith("///<"):
                said.append(line.lstrip("/").strip())
                continue
            elif line.startswith("inline constexpr"):
                while ";" not in line:
                    line += " " + next(text).strip()
                self._constant(line)
            elif line.startswith("enum class"):
                while "}" not in line:
                    line += " " + re.sub(r"\s*///?<?.*", "", next(text).strip())
                self._enumeration(line)
            elif line.startswith("struct "):
                self._structure(line, text)
            elif line.startswith(("constexpr ", "static_assert")) and not line.endswith((";", "}")):
                while not next(text).startswith("}"):
                    pass
            elif not line and self.lines and self.lines[-1]:
                self.lines.append("")

    def _say(self, text: str) -> None:
        """What only the tree itself wants to know is left out."""
        text = re.sub(
            r"(: constants[^.]*| Constants, nothing else| Shared by [^;]*; includes no model, no SystemC)(?=\.)",
            "",
            text,
        )
        text = re.sub(r"\.(?=\.)", "", text).strip()
        rows = textwrap.wrap(text, 112)
        if rows:
            self.lines.append("/* " + "\n   ".join(rows) + " */")

    def in_c(self) -> str:
        """All lines, with C's names for those of constants."""

        def name(match: re.Match[str]) -> str:
            ends = "_" + _upper(match[1])
            found = [known for known in self.values if known.endswith(ends)]
            return min(found, key=len) if found else match[0]

        return re.sub(r"\bk([A-Z]\w*)", name, "\n".join(self.lines))

    def _constant(self, line: str) -> None:
        match = _CONSTANT.match(line)
        if match is None:
            return
        name, value = self._name(match[1]), self._value(match[2])
        self.values[name] = value
        said = f" /* {match[3]} */" if match[3] else ""
        number = f"{value}" if re.fullmatch(r"\d+", match[2].strip()) else f"0x{value:02X}u"
        self.lines.append(f"#define {name} {number}{said}")

    def _enumeration(self, line: str) -> None:
        match = _ENUM.match(line)
        if match is None:
            raise ValueError(line)
        self.enums[match[1]] = f"uint{match[2]}_t"
        names = [name.strip() for name in match[3].split("}")[0].split(",") if name.strip()]
        self.lines.append(
            f"enum {self._name(match[1]).lower()} {{ {', '.join(self._name(match[1] + '_' + name) for name in names)} }};"
        )

    def _structure(self, line: str, text: object) -> None:
        match = _STRUCT.match(line)
        assert match is not None, line
        self.lines.append(f"struct {self._name(match[1]).lower()} {{")
        for row in text:  # type: ignore[attr-defined]
            row = row.strip()
            if row == "};":
                break
            field = _FIELD.match(row)
            if field is None:
                raise ValueError(row)
            said = f" /* {field[4]} */" if field[4] else ""
            self.lines.append(f"  {self.enums.get(field[1], field[1])} {field[2]}{field[3] or ''};{said}")
        self.lines.append("};")


def written(source: Path) -> str:
    guard = f"FTLAB_{_upper(source.stem)}_H"
    head = [
        f"/* Made of ftlab's {'/'.join(source.parts[-3:])} by tests/lint/register_headers.py, which is what to change. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#include <stdint.h>",
        "",
    ]
    return "\n".join([*head, Header(source).in_c().rstrip(), "", "#endif", ""])


def main() -> int:
    root = Path(sys.argv[1])
    stale = 0
    for source in sorted((root / "hw/regs").glob("*.h")):
        target = root / _TO / source.name
        text = written(source)
        if "--write" in sys.argv[2:]:
            target.write_text(text)
        elif not target.exists() or target.read_text() != text:
            print(f"{_TO / source.name} is not what {source.name} makes; run tests/lint/register_headers.py . --write")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
