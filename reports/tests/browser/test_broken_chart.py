"""A chart that cannot be drawn: it says so, and the others are drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from browser.driving import console, needs_browser, open_page, wait_drawn, window

pytestmark = needs_browser

SETTINGS = '<script type="application/json" id="settings">'
HELD = "return [...document.querySelectorAll('[data-chart]')].map(e => [e.dataset.chart, e.querySelector('svg.marks') !== null])"


@pytest.fixture
def broken(page: Path, tmp_path: Path) -> tuple[Path, str]:
    """A page whose first chart is none, and the name of that chart."""
    head, _, rest = page.read_text(encoding="utf-8").partition(SETTINGS)
    text, end, tail = rest.partition("</script>")
    settings = json.loads(text)
    name = next(part for part in head.split('data-chart="')[1:]).partition('"')[0]
    settings["charts"][name]["spec"] = None
    copy = tmp_path / "report.html"
    copy.write_text(head + SETTINGS + json.dumps(settings).replace("<", "\\u003c") + end + tail, encoding="utf-8")
    return copy, name


def test_a_chart_that_cannot_be_drawn_says_so_and_the_others_are_drawn(
    browser: webdriver.Chrome, broken: tuple[Path, str]
) -> None:
    path, name = broken
    with window(browser, 1280):
        open_page(browser, path)
        drawn = dict(browser.execute_script(HELD))
        assert len(drawn) > 3
        assert drawn == {chart: chart != name for chart in drawn}
        words = browser.find_element(By.CSS_SELECTOR, f"[data-chart='{name}']").text
        assert words.startswith("This chart could not be drawn (")
        assert words.endswith(f"figures/{name}.svg, written beside this page, holds it.")
        assert len(console(browser)) == 1
    # At its own width the window tries it once more.
    browser.get("about:blank")
    console(browser)


def test_a_chart_that_failed_once_is_drawn_when_it_can_be(browser: webdriver.Chrome, page: Path) -> None:
    with window(browser, 1280):
        open_page(browser, page)
        browser.execute_script("window.held = vegaEmbed; vegaEmbed = () => Promise.reject(new Error('no room'))")
        with window(browser, 900):
            wait_drawn(browser)
            assert not any(drawn for _, drawn in browser.execute_script(HELD))
            browser.execute_script("vegaEmbed = window.held")
        wait_drawn(browser)
        assert all(drawn for _, drawn in browser.execute_script(HELD))
        console(browser)
