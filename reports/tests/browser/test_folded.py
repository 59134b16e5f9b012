"""Folded tables: opened by links that lead to them, and on paper."""

from __future__ import annotations

from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By

from browser.driving import needs_browser, open_page

pytestmark = needs_browser

OPEN = "return [...document.querySelectorAll('details.block')].map(table => table.open)"


def test_a_link_opens_a_table_again_that_was_folded_again(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    table = browser.find_element(By.CSS_SELECTOR, "details.block")
    assert table.get_attribute("open") is None
    link = f"document.querySelector('.toc a[href=\"#{table.get_attribute('id')}\"]').click()"
    for _ in range(2):
        browser.execute_script(link)
        assert table.get_attribute("open") is not None
        browser.execute_script("arguments[0].open = false", table)


def test_paper_has_folded_tables_open_and_the_screen_as_before(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    browser.execute_script("document.querySelector('details.block').open = true")
    before = browser.execute_script(OPEN)
    assert True in before
    assert False in before
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert all(browser.execute_script(OPEN))
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert browser.execute_script(OPEN) == before
