"""A page on paper: plots whole and still, every column."""

from __future__ import annotations

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from browser.driving import PAGES, needs_browser, open_made, window

pytestmark = needs_browser


@PAGES
def test_on_paper_stand_whole_static_plots_and_all_columns(
    browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str
) -> None:
    open_made(browser, request, made)
    paper_width = 696  # A4 without its margins
    with window(browser, paper_width, media="print"):
        browser.execute_script("dispatchEvent(new Event('beforeprint'))")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= paper_width
        shown = "return [...document.querySelectorAll(arguments[0])].filter(e => e.getBoundingClientRect().height > 40).length"
        charts = len(browser.find_elements(By.CSS_SELECTOR, "[data-chart]"))
        assert browser.execute_script(shown, "figure .still svg") == charts
        assert browser.execute_script(shown, "figure .chart") == 0
        words = browser.find_element(By.TAG_NAME, "main").text
        assert "Click" not in words
        assert "Picked" not in words
        outside = browser.execute_script(
            """
            return [...document.querySelectorAll('.still svg')].flatMap(svg => {
              const box = svg.getBoundingClientRect();
              return [...svg.querySelectorAll('text')].filter(text => text.textContent.trim()).filter(text => {
                const at = text.getBoundingClientRect();
                return at.left < box.left - 1 || at.right > box.right + 1;
              }).map(text => text.textContent);
            });
            """
        )
        assert outside == []
