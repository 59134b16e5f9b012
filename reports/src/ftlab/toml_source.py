"""The text of a TOML file beside what it means, so that a complaint names the line."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.places import refuse_special

_HEADER = re.compile(r"^\s*\[\[?(?P<table>[^\]]*)\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*(?P<key>(\"[^\"]*\"|'[^']*'|[A-Za-z0-9_.\s-])+?)\s*=")
_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)$")
# A word, a path, or a number with a unit, as a quoted text could hold it and nothing else can.
_UNQUOTED = re.compile(r"(?=[^,]*[A-Za-z%])(?!(true|false)\s*(,|$))[^\"'\[\]{}=,\\]+$")
# JSON files of ours in the place of a TOML file: what they are, and what takes them.
_JSON = {
    "ftlab-result": "is the result of a run: `ftlab run {file}` repeats it, and `ftlab report {folder}` draws it",
    "ftlab-sweep": "says what the table of a sweep holds: `ftlab report {folder}` draws it",
    "ftlab-study": "says which runs the main study has: `ftlab report {folder}` draws them",
    "ftlab-reproduce": "is a comparison with published figures: `ftlab report {folder}` draws it",
}


def _name(written: str) -> str:
    """A key as it is meant: `"ftl.utilization"`, `ftl.utilization` and `ftl . utilization` are one."""
    return re.sub(r"\s*\.\s*", ".", written.strip()).replace('"', "").replace("'", "")


@dataclass
class SourceFile:
    path: str
    text: str

    def line_of(self, key: str, nth: int = 0) -> int | None:
        """Where a table or a key in it stands, as far as a search finds it; the table of one that stands nowhere.

        `nth`: of several tables of one name.
        """
        table = ""
        at_table: int | None = None
        left = nth
        for number, line in enumerate(self.text.split("\n"), start=1):
            if header := _HEADER.match(line):
                table = _name(header["table"])
                if key != table and not key.startswith(f"{table}."):
                    continue
                if left > 0:
                    left -= 1
                    table = ""  # what follows is not meant
                    continue
                if key == table:
                    return number
                at_table = at_table or number
            elif (found := _KEY.match(line)) and key == ".".join(filter(None, [table, _name(found["key"])])):
                return number
        return at_table

    def refuse(self, key: str, problem: str, nth: int = 0) -> InputError:
        line = self.line_of(key, nth)
        where = f"{self.path}:{line}" if line else self.path
        return InputError(f"{where}: {key}: {problem}")


def _json_of_ours(path: Path, text: str) -> str:
    """What the text is, when it is no TOML because it is JSON that ftlab wrote; else empty."""
    if not text.lstrip().startswith("{"):
        return ""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    return _JSON.get(str(document.get("schema")), "").format(file=path, folder=path.parent)


def _unquoted_at(source: SourceFile, line: int) -> str:
    """What a value without its quotes wants, when the line, which is no TOML, has one; else empty."""
    lines = source.text.split("\n")[:line]
    key, equals, values = lines[-1].partition("#")[0].partition("=")
    if not equals:
        return ""
    headers = [header["table"].strip() for before in lines[:-1] if (header := _HEADER.match(before))]
    values = values.strip()
    items = values.strip("[]").split(",") if values.startswith("[") else [values]
    lacking = next((item.strip() for item in items if _UNQUOTED.match(item.strip())), "")
    name = _name(".".join([*headers[-1:], key]))
    return f'{name}: {lacking} is text; put it in quotes: "{lacking}"' if lacking else ""


def read_tree(path: Path, hint: str) -> tuple[dict[str, Any], SourceFile]:
    """Raises InputError with one line when the file cannot be read or is no TOML; `hint` ends it."""
    try:
        refuse_special(path, hint)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); {hint}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is no UTF-8 text; {hint}") from None
    source = SourceFile(str(path), text)
    try:
        return tomllib.loads(text), source
    except (ValueError, RecursionError) as error:
        if ours := _json_of_ours(path, text):
            raise InputError(f"{path}: {ours}") from None
        found = _AT_LINE.search(str(error))
        where = f"{path}:{found[1]}" if found else str(path)
        if found and (unquoted := _unquoted_at(source, int(found[1]))):
            raise InputError(f"{where}: {unquoted}") from None
        raise InputError(f"{where}: is no TOML here: {_AT_LINE.sub('', str(error))}; {hint}") from None
