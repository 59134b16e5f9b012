#!/usr/bin/env python3
"""Enforces one word for one thing: a word that the glossary replaced is refused, with the word to write instead.

Usage: word_rules.py [ROOT]. Prints one line per breach and exits 1 when there is one. Rules name identifiers and
phrases rather than common words, so that plain English passes. Standard library only.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tree  # noqa: E402


@dataclass(frozen=True)
class Rule:
    root: str  # small letters that are in every breach, so that most files need no look at the pattern
    pattern: re.Pattern[str]
    write: str
    within: tuple[str, ...] = ("",)  # beginnings of the paths where it holds


def _rule(root: str, pattern: str, write: str, *within: str) -> Rule:
    return Rule(root, re.compile(pattern), write, within or ("",))


# What happened to power, programs and erases.
_POWER = (
    _rule("cut", r"\b[Pp]ower[ _-]cuts?\b|\bcuts? (?:the )?power\b|\bpower (?:is|was|be) cut\b"
          r"|\bPowerCut", "power loss"),
    _rule("cut", r"(?<![a-z])cuts?_power|\b(?:arm|second|before|after)_cut\b|\bcut_(?:now|in|within"
          r"|everywhere|config)_?\b", "power loss"),
    _rule("cut", r"_(?:a|power|each|after)_cuts?(?=_|\b)|(?:program|erase|life)_cut(?=_|\b)"
          r"|\bcut_(?:program|erase)s?\b", "power loss, torn"),
    _rule("cut", r"\b[Aa] cut (?!short|off)|\b(?:program|erase|cleaning|write|mount)s? (?:that )?(?:is|was"
          r"|were) cut\b(?! (?:short|off|into))",
          "power loss, interrupted, torn"),
    _rule("tear", r"\bTear\b|\bkTears?\b|\btear_?(?:program|erase|mark|of)?_\b|\btear_(?:program|erase|mark"
          r"|of)\b|\bthe tear\b", "torn write"),
    _rule("li", r"\b[Aa] new life\b|\b[Ll]ife after life\b|\b[Oo]ne life of\b|\b(?:this|that) life\b"
          r"|\blife_of\b|\blives_a_\w+", "mount session"),
    _rule("life", r"\b(?:class|struct) (?:Life|OneLife)\b|\b(?:Session|StoreSession|Life) life\b", "mount session"),
    _rule("accident", r"\b[Aa]ccidents?\b|Accident", "power-loss stream, fault"),
)
# Flash and what lies on it.
_FLASH = (
    _rule("anchor", r"\bAnchors?\b|\banchors?_?\b", "checkpoint", "firmware/", "tests/", "platform/", "docs/"),
    _rule("home", r"\bhomes?_?\b(?!/)|\bHomes?\b|\b(?:a|the|each|one)_home(?=_"
          r"|\b)", "checkpoint segment", "firmware/", "tests/ftl", "tests/unit/firmware", "tests/powerloss"),
    _rule("bur", r"\b[Bb]ur(?:y|ies|ied|ial)\b|\bbury_\w+", "mark bad, retire"),
    _rule("b", r"\b[Bb]orn\b|\b[Bb]irth\b|[Bb]irth_?[Rr]ecord", "erase header"),
    _rule("unproven", r"\b[Uu]nproven\b", "needs erase"),
    _rule("mark", r"\b[Bb]ad[ _]marks?\b|\bBadMark(?!er)", "bad-block marker"),
    _rule("record", r"\b[Pp]age records?\b|\bPageRecord|\bpage_record", "page metadata"),
    _rule("journal", r"\bJournal[&*({;:]|\bclass Journal\b|\bjournal_\w*|\bjournal\.", "log", "firmware/", "tests/"),
    _rule("medium", r"\b(?:class|struct) \w*Medium\b|\b\w*Medium&", "page store", "firmware/"),
    _rule("stuck", r"(?<![a-z])[Ss]tuck(?![a-z])", "unreadable, unusable"),
    _rule("settle", r"\bsettle\(|\bsettle_(?:homes?|low_power|now)\w*", "decommission, advance_to"),
    _rule("back", r"\b[Gg](?:ive|ives|iven|iving|ave) back\b|_(?:give|gives|given|gave)_back|\bgives?_back"
          r"|GiveBack", "release, return"),
    _rule("tak", r"\btake_segment\b|\b(?:take|takes|taken|taking) (?:a|the|one) segment from\b", "allocate"),
    _rule("gone", r"\b[Gg]one on with\b", "resumed"),
    _rule("judge", r"\bjudge_space\b|JudgeSpace", "update space state"),
)
# Everything else.
_HOUSE = (
    _rule("told", r"(?<!un)told(?=_)(?!_apart)|(?<=_)told\b|\bTold\b", "recorded, reported"),
    _rule("told", r"\b(?:loss|losses|failures?|errors?|pages?|segments?|ends?|results?) (?:is|are|was|were) told\b(?! (?:apart|of))",
          "recorded, reported"),
    _rule("tell", r"\b(?:record|header|summary|checkpoint|log|register|status|bits?|line|result|card|part"
          r"|core|layer|driver|firmware|oracle)s? tells?\b",
          "records, reports, says"),
    _rule("pric", r"\b[Pp]rices?\b|\b[Pp]riced\b|Prices?\b|\bpricing\b", "cost"),
    _rule("free", r"\b[Ff]ree[ _]values?\b|\bFree(?:Value|Variant)", "unpublished parameter"),
    _rule("farm", r"\bfarms?\b|\bFarm(?![a-z])", "process pool"),
    _rule("what", r"\b[Bb]attery what-if\b|(?<![a-z])what_if"
          r"|WhatIf", "battery estimate; for changed values: override"),
    _rule("leftover", r"(?<![a-z])[Ll]eftovers?(?![a-z])", "cleanup on signal"),
    _rule("kmost", r"\bkMost(?![a-z])", "kMax..."),
    _rule("kleast", r"\bkLeast(?![a-z])", "kMin..."),
    _rule("bench", r"\b(?:class|struct) Bench\b|\bbench\.", "fixture", "tests/"),
    _rule("rig", r"\b[Rr]ig\b", "fixture", "tests/"),
)
_RULES = _POWER + _FLASH + _HOUSE


@dataclass(frozen=True)
class Allowed:
    path: str
    found: str
    why: str


_ALLOWED = (
    Allowed("firmware/ftl/flexfs/flexfs_stats.h", "anchors", "a key of result.json, which keeps its name"),
    Allowed("tests/lint/word_rules.py", "", "the rules themselves"),
    Allowed("tests/lint/test_word_rules.py", "", "what the rules refuse"),
    Allowed("docs/glossary.md", "", "names the words that are not used"),
    Allowed("LICENSE", "", "somebody else's text"),
)


def _allowed(path: str, found: str) -> bool:
    return any(path == a.path and a.found in ("", found) for a in _ALLOWED)


def breaches(path: str, text: str) -> list[str]:
    """Breaches of the file at this repository path."""
    found = []
    small = text.lower()
    rules = [r for r in _RULES if path.startswith(r.within) and r.root in small and r.pattern.search(text)]
    if not rules:
        return []
    for number, line in enumerate(text.splitlines(), start=1):
        for rule in rules:
            match = rule.pattern.search(line)
            if match and not _allowed(path, match.group(0)):
                found.append(f"{path}:{number}: '{match.group(0).strip()}' has another word here; write: {rule.write}")
    return found


def check(root: Path) -> list[str]:
    """Breaches of the repository at root, those of file names included."""
    found = []
    for path in tree.files(root):
        name = path.as_posix()
        if "corpus" in path.parts or "vendor" in path.parts:
            continue
        found += [b.replace(f"{name}:1:", f"{name}: its name:") for b in breaches(name, path.stem)]
        text = tree.text_of(root / path)
        if text is not None:
            found += breaches(name, text)
    return found


def main(arguments: list[str]) -> int:
    return tree.report("word rules", check(tree.root_of(arguments)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
