"""The focus of the keyboard when charts are drawn anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from browser.driving import console, needs_browser, open_page, wait_drawn, window

pytestmark = needs_browser

CHART = "[data-chart='sweep-write-amplification']"
FOCUSED = "return document.activeElement === document.querySelector(arguments[0])"


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
