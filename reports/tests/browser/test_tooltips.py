"""Tooltips of charts: within the window, over all of a mark, gone when what they tell of is."""

from __future__ import annotations

from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from browser.driving import console, needs_browser, open_page, switch_look, wait_drawn, window

pytestmark = needs_browser

HEAT = "[data-chart='heat-write-amplification']"


def pointed_at(browser: webdriver.Chrome, mark: WebElement) -> dict[str, float]:
    """Where the tooltip of a mark stands."""
    browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", mark)
    webdriver.ActionChains(browser).move_to_element(mark).perform()
    box = "return document.querySelector('#vg-tooltip-element.visible')?.getBoundingClientRect().toJSON()"
    found: dict[str, float] = WebDriverWait(browser, 10).until(lambda driver: driver.execute_script(box))
    return found


def shown(browser: webdriver.Chrome) -> bool:
    return bool(browser.find_elements(By.CSS_SELECTOR, "#vg-tooltip-element.visible"))


def test_tooltips_stay_within_a_narrow_window(browser: webdriver.Chrome, crowded: Path) -> None:
    with window(browser, 420):
        open_page(browser, crowded)
        bars = browser.find_elements(By.CSS_SELECTOR, "[data-chart='comparison'] .role-mark.mark-rect path")
        assert len(bars) > 8
        for bar in bars[:8]:
            box = pointed_at(browser, bar)
            assert box["left"] >= 0
            assert box["right"] <= 420


def test_a_number_on_a_tile_has_the_tooltip_of_the_tile(browser: webdriver.Chrome, held: Path) -> None:
    open_page(browser, held)
    number = browser.find_element(By.CSS_SELECTOR, f"{HEAT} .role-mark.mark-text text")
    pointed_at(browser, number)
    assert number.text in browser.find_element(By.ID, "vg-tooltip-element").text


def test_a_tooltip_goes_when_another_value_is_picked_or_the_look_changes(browser: webdriver.Chrome, held: Path) -> None:
    open_page(browser, held)
    pointed_at(browser, browser.find_element(By.CSS_SELECTOR, f"{HEAT} .role-mark.mark-rect path"))
    browser.find_element(By.CSS_SELECTOR, f"{HEAT} .vega-bind select").send_keys(Keys.DOWN)
    WebDriverWait(browser, 10).until(lambda driver: not shown(driver))
    pointed_at(browser, browser.find_element(By.CSS_SELECTOR, f"{HEAT} .role-mark.mark-rect path:last-child"))
    browser.execute_script("document.getElementById('theme').click()")
    wait_drawn(browser, "dark")
    assert not shown(browser)
    switch_look(browser)
    wait_drawn(browser, "light")
    assert console(browser) == []
