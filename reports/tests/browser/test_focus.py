"""The focus of the keyboard when charts are drawn anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

import sample
from browser.driving import console, needs_browser, open_page, wait_drawn, window
from ftlab.commands import main

pytestmark = needs_browser

CHART = "[data-chart='sweep-write-amplification']"
FOCUSED = "return document.activeElement === document.querySelector(arguments[0])"


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep whose charts hold an axis at a value that is picked below them."""
    axes = {"ftl.utilization": ["0.5", "0.8"], "ftl.selection": list("abcde"), "ftl.page_bytes": ["1024", "2048"]}
    figures = [{"path": "write_amplification", "unit": "", "help": "pages"}]
    directory = sample.write_grid(tmp_path_factory.mktemp("held"), axes, figures)
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.mark.parametrize("place", ["summary", "select", ".vega-actions a:last-child"])
def test_the_focus_stays_when_charts_are_drawn_anew(browser: webdriver.Chrome, held: Path, place: str) -> None:
    selector = f"{CHART} {place}"
    with window(browser, 1280):
        open_page(browser, held)
        menu_open = " a" in place
        menu = browser.find_element(By.CSS_SELECTOR, f"{CHART} details")
        browser.execute_script("arguments[0].open = arguments[1]", menu, menu_open)
        browser.execute_script("document.querySelector(arguments[0]).focus()", selector)
        assert browser.execute_script(FOCUSED, selector)
        before = browser.find_element(By.CSS_SELECTOR, selector)
        with window(browser, 900):
            wait_drawn(browser)
            assert browser.find_element(By.CSS_SELECTOR, selector) != before
            assert browser.execute_script(FOCUSED, selector)
            menu = browser.find_element(By.CSS_SELECTOR, f"{CHART} details")
            assert (menu.get_attribute("open") is not None) == menu_open
        assert console(browser) == []


def test_a_focus_elsewhere_is_left_there(browser: webdriver.Chrome, held: Path) -> None:
    with window(browser, 1280):
        open_page(browser, held)
        browser.execute_script("document.getElementById('theme').focus()")
        with window(browser, 900):
            wait_drawn(browser)
            assert browser.execute_script(FOCUSED, "#theme")
