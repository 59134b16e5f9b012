"""A page that is loaded again is where it was read."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from browser.driving import console, needs_browser, open_page, wait_drawn, window

pytestmark = needs_browser

TABLE = "details.block"


@pytest.mark.parametrize("share", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_page_that_is_loaded_again_is_where_it_was_read(
    browser: webdriver.Chrome, swept: Path, width: int, share: float
) -> None:
    go = "scrollTo({ top: arguments[0] * document.documentElement.scrollHeight, behavior: 'instant' }); return scrollY"
    with window(browser, width):
        open_page(browser, swept)
        before = browser.execute_script(go, share)
        browser.refresh()
        wait_drawn(browser)
        assert browser.execute_script("return scrollY") == pytest.approx(before, abs=2)
        held = browser.execute_script("return [...document.querySelectorAll('.chart')].map(e => e.style.minHeight)")
        assert set(held) == {""}
        assert console(browser) == []


def test_a_table_that_is_open_stays_so_when_the_page_is_loaded_again(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    browser.execute_script(f"document.querySelector('{TABLE}').open = true")
    browser.refresh()
    wait_drawn(browser)
    assert browser.find_element(By.CSS_SELECTOR, TABLE).get_attribute("open") is not None


def test_a_page_that_is_opened_begins_at_its_head(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    browser.execute_script(f"document.querySelector('{TABLE}').open = true; scrollTo(0, 2000)")
    open_page(browser, page)
    assert browser.execute_script("return scrollY") == 0
    assert browser.find_element(By.CSS_SELECTOR, TABLE).get_attribute("open") is None
