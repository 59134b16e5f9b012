"""A shell completes commands of both sides."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from ftlab.commands import main
from ftlab.program import answer, program
from program import needs_program


def test_options_are_those_of_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "sweep", ""]) == 0
    words = capsys.readouterr().out.split()
    assert "--scheduler" in words
    assert "--help" in words
    assert main(["complete", "reproduce", "fms"]) == 0
    words = capsys.readouterr().out.split()
    assert "fms-table4" in words
    assert "--no-vary" in words


@needs_program
@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("line", "among"),
    [
        ("rep", "reproduce"),
        ("run --see", "--seeds"),
        ("run --set ftl.sel", "ftl.selection="),
        ("parts series", "series2plus-4mb"),
    ],
)
def test_bash_completes_what_is_typed(line: str, among: str) -> None:
    words = ["ftlab", *line.split()]
    listed = " ".join(f"'{word}'" for word in [str(program()), *words[1:]])
    script = f"{answer('completion', 'bash')}\nCOMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _ftlab\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
    # Only while a shell completes there is something to set.
    done = subprocess.run(
        ["bash", "-c", f"compopt() {{ [ $# = 2 ]; }}\n{script}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert among in done.stdout.split()
