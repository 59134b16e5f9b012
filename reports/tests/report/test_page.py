"""The page as a document: whole, offline, the same each time; and the command that writes it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sample
from ftlab import write
from ftlab.commands import main
from ftlab.errors import InputError
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.page import _breakable, _json_for_script, _script
from ftlab.report.registry import fill


class Document(HTMLParser):
    """Ids, links, and whatever a browser would fetch by itself."""

    FETCHING = frozenset({"src", "srcset", "data", "poster", "background", "action", "formaction", "ping", "manifest"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[tuple[str, str]] = []
        self.styles = ""
        self.policy = ""
        self._in_style = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self._in_style = tag == "style"
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values.get("href", ""))
        elif "href" in values or "xlink:href" in values:
            self.fetched.append((tag, values.get("href", values.get("xlink:href", ""))))
        self.fetched += [(tag, values[name]) for name in self.FETCHING & values.keys()]
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.styles += data


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = sample.write_study(tmp_path_factory.mktemp("made"))
    assert main(["report", str(directory)]) == 0
    return directory


@pytest.fixture(scope="module")
def document(made: Path) -> Document:
    return Document((made / "report.html").read_text(encoding="utf-8"))


def test_page_asks_the_network_for_nothing(document: Document) -> None:
    assert [item for item in document.fetched if not item[1].startswith(("data:", "#"))] == []
    assert "url(" not in document.styles
    assert "@import" not in document.styles
    assert document.policy.startswith("default-src 'none'")
    assert "http" not in document.policy


def test_every_anchor_exists_once(document: Document) -> None:
    assert len(set(document.ids)) == len(document.ids)
    assert {link[1:] for link in document.links if link.startswith("#")} <= set(document.ids)


def test_every_figure_is_on_the_page_and_beside_it(made: Path, document: Document, report: Report) -> None:
    names = {block.name for item in fill(report) for block in item.blocks if isinstance(block, Figure)}
    assert {path.stem for path in (made / "figures").glob("*.svg")} == names
    assert {f"chart-{name}" for name in names} <= set(document.ids)
    assert all(path.read_text(encoding="utf-8").startswith("<svg") for path in (made / "figures").glob("*.svg"))


def test_same_input_gives_the_same_bytes(made: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    sample.write_study(again)
    environment = os.environ | {"PYTHONHASHSEED": "77"}
    command = [sys.executable, "-m", "ftlab", "report", str(again)]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    for path in [made / "report.html", *(made / "figures").glob("*.svg")]:
        assert (again / path.relative_to(made)).read_bytes() == path.read_bytes(), path.name


def test_notes_are_on_the_page_with_their_link(made: Path) -> None:
    text = (made / "report.html").read_text(encoding="utf-8")
    assert "a generated workload of the same locality stands in" in text
    assert 'href="https://example.org/traces/hplajw"' in text


def test_text_from_files_cannot_become_markup(tmp_path: Path) -> None:
    value = sample.result()
    hostile = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
    value["device"]["title"] = hostile
    value["summary"] = {"device": hostile, "firmware": hostile, "workload": hostile}
    value["config"]["part"] = hostile
    value["time"]["by_cause_s"][hostile] = 0.5
    sample.write_json(tmp_path / "result.json", value)
    assert main(["report", str(tmp_path)]) == 0
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "img" not in Document(text).tags


def test_only_words_too_long_for_a_column_may_break() -> None:
    assert (
        _breakable("3.3 V, 5.08 J/MiB, +78.4 % of 3 runs, 4 vias")
        == "3.3\u00a0V, 5.08\u00a0J/MiB, +78.4\u00a0% of 3 runs, 4 vias"
    )
    assert _breakable("cost_benefit with <care>") == "cost_benefit with &lt;care&gt;"
    digest = "949eecedac5682be9a349f8028fd25a2"
    assert str(_breakable(digest)).count("<wbr>") == 1
    assert str(_breakable(digest)).replace("<wbr>", "") == digest


def test_json_and_scripts_cannot_end_their_element() -> None:
    assert "<" not in str(_json_for_script({"a": "</script><!--"}))
    assert str(_script('x="</script><!--"')) == 'x="<\\/script><\\!--"'


def test_command_says_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.write_json(tmp_path / "result.json", sample.result())
    out = tmp_path / "elsewhere" / "page.html"
    assert main(["report", str(tmp_path), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert str(out) in printed
    assert str(out.parent / "figures") in printed
    assert (out.parent / "figures" / "time-by-cause.svg").exists()
    assert not (tmp_path / "report.html").exists()


def test_open_shows_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    sample.write_json(tmp_path / "result.json", sample.result())
    assert main(["report", str(tmp_path), "--open"]) == 0
    assert opened == [(tmp_path / "report.html").resolve().as_uri()]


def test_bad_input_is_one_line_and_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "result.json").write_text("{", encoding="utf-8")
    assert main(["report", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "result.json" in captured.err
    assert not (tmp_path / "report.html").exists()


def test_full_disk_leaves_no_partial_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self), None, str(target))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        write.write_whole(tmp_path / "report.html", "text")
    assert list(tmp_path.iterdir()) == []


def test_out_below_a_file_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.write_json(tmp_path / "result.json", sample.result())
    assert main(["report", str(tmp_path), "--out", str(tmp_path / "result.json" / "page.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err
