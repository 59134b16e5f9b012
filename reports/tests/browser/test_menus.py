"""The menu of a chart, and the pictures that it saves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser.driving import PAGES, needs_browser, open_page, switch_look, wait_drawn, window

pytestmark = needs_browser


@pytest.mark.parametrize("width", [1280, 420])
def test_a_menu_is_whole_and_closes_by_escape(browser: webdriver.Chrome, page: Path, width: int) -> None:
    with window(browser, width):
        open_page(browser, page)
        cut = browser.execute_script(
            """
            const found = [];
            for (const chart of document.querySelectorAll('.chart')) {
              const menu = chart.querySelector('details');
              menu.open = true;
              const actions = menu.querySelector('.vega-actions');
              actions.style.animation = 'none';
              actions.scrollIntoView({ block: 'center', behavior: 'instant' });
              const box = actions.getBoundingClientRect();
              const seen = document.elementFromPoint(box.right - 3, box.bottom - 3);
              if (chart.scrollWidth > chart.clientWidth || !actions.contains(seen)) found.push(chart.dataset.chart);
              menu.open = false;
            }
            return found;
            """
        )
        assert cut == []
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        menu = browser.find_element(By.CSS_SELECTOR, ".chart details")
        browser.execute_script("arguments[0].open = true", menu)
        webdriver.ActionChains(browser).send_keys(Keys.ESCAPE).perform()
        assert menu.get_attribute("open") is None


@PAGES
def test_a_menu_stands_over_nothing_that_is_drawn(
    browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str
) -> None:
    with window(browser, 1280):
        open_page(browser, request.getfixturevalue(made))
        covered = browser.execute_script(
            """
            return [...document.querySelectorAll('.chart')].filter(chart => {
              const menu = chart.querySelector('summary').getBoundingClientRect();
              return [...chart.querySelectorAll('.role-axis-grid, .role-mark')].some(drawn => {
                const box = drawn.getBoundingClientRect();
                return box.right > menu.left + 1 && box.top < menu.bottom - 1 && box.width > 0;
              });
            }).map(chart => chart.dataset.chart);
            """
        )
        assert covered == []


def test_a_saved_picture_has_the_ground_of_its_look(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    grounds = []
    saved = "const done = arguments[0]; document.querySelector('.chart').view.view.toSVG().then(done)"
    for look in ("light", "dark"):
        if browser.execute_script("return document.querySelector('[data-chart]').dataset.drawn") != look:
            switch_look(browser)
        wait_drawn(browser, look)
        svg = browser.execute_async_script(saved)
        grounds.append(re.findall(r'<rect width="[0-9]+" height="[0-9]+" fill="(#[0-9a-f]+)"', svg)[:1])
    assert grounds == [["#ffffff"], ["#151a21"]]
