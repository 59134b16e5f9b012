"""A page in a real browser: no console errors, no requests, every plot drawn in both looks."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from browser.driving import PAGES, console, needs_browser, open_page, switch_look, wait_drawn

pytestmark = needs_browser


@PAGES
def test_every_plot_is_drawn_without_console_messages(
    browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str
) -> None:
    page: Path = request.getfixturevalue(made)
    open_page(browser, page)
    assert console(browser) == []
    holders = browser.find_elements(By.CSS_SELECTOR, "[data-chart]")
    names = {holder.get_attribute("data-chart") for holder in holders}
    choices = json.loads(browser.execute_script("return document.getElementById('settings').textContent"))["choices"]
    names |= {pair["chart"] for choice in choices.values() for pair in choice}
    assert names == {path.stem for path in (page.parent / "figures").glob("*.svg")}
    for holder in holders:
        shapes = browser.execute_script(
            "return [...arguments[0].querySelectorAll('svg.marks path')]"
            ".filter(p => { const b = p.getBBox(); return b.width + b.height > 2; }).length",
            holder,
        )
        assert shapes > 2, holder.get_attribute("data-chart")


def test_nothing_is_fetched(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    fetched = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert [name for name in fetched if not str(name).startswith(("data:", "blob:"))] == []


def test_look_can_be_switched(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    ground = "return getComputedStyle(document.body).backgroundColor"
    before = browser.execute_script(ground)
    look = browser.execute_script("return document.querySelector('[data-chart]').dataset.drawn")
    switch_look(browser)
    wait_drawn(browser, "dark" if look == "light" else "light")
    assert browser.execute_script(ground) != before
    assert console(browser) == []


def opacities(browser: webdriver.Chrome, holder: WebElement) -> list[str]:
    script = "return [...arguments[0].querySelectorAll('.role-mark path')].map(p => p.getAttribute('opacity'))"
    found: list[str] = browser.execute_script(script, holder)
    return found


@pytest.mark.parametrize(("made", "legends"), [("page", 9), ("swept", 5), ("sampled", 2)])
def test_a_click_on_a_legend_changes_the_plot(
    browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str, legends: int
) -> None:
    open_page(browser, request.getfixturevalue(made))
    clicked = 0
    for holder in browser.find_elements(By.CSS_SELECTOR, "[data-chart]"):
        entries = holder.find_elements(By.CSS_SELECTOR, ".role-legend-symbol path")
        if len(entries) < 2:
            continue
        before = opacities(browser, holder)
        browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", entries[1])
        webdriver.ActionChains(browser).move_to_element(entries[1]).click().perform()
        deadline = time.monotonic() + 10
        while opacities(browser, holder) == before:
            assert time.monotonic() < deadline, holder.get_attribute("data-chart")
        assert "0.12" in opacities(browser, holder), holder.get_attribute("data-chart")
        clicked += 1
    assert clicked >= legends
    assert console(browser) == []


def test_what_is_picked_in_a_legend_stays_when_the_look_changes(browser: webdriver.Chrome, swept: Path) -> None:
    open_page(browser, swept)
    holder = browser.find_element(By.CSS_SELECTOR, "[data-chart='sweep-write-amplification']")
    look = holder.get_attribute("data-drawn")
    whole = opacities(browser, holder)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", holder)
    entry = holder.find_elements(By.CSS_SELECTOR, ".role-legend-symbol path")[1]
    webdriver.ActionChains(browser).click(entry).perform()
    WebDriverWait(browser, 10).until(lambda _: opacities(browser, holder) != whole)
    picked = opacities(browser, holder)
    switch_look(browser)
    wait_drawn(browser, "dark" if look == "light" else "light")
    assert opacities(browser, holder) == picked
    webdriver.ActionChains(browser).double_click(holder.find_element(By.CSS_SELECTOR, "svg.marks")).perform()
    WebDriverWait(browser, 10).until(lambda _: opacities(browser, holder) == whole)
    switch_look(browser)
    wait_drawn(browser, str(look))
    assert opacities(browser, holder) == whole
    assert console(browser) == []


def test_plots_say_what_they_show(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    for holder in browser.find_elements(By.CSS_SELECTOR, "[data-chart]"):
        label = holder.get_attribute("aria-label") or ""
        assert len(label) > 30
        assert re.search(r"\d", label)


def test_tiles_of_a_map_leave_no_ground_between_them(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    shown = "return getComputedStyle(document.querySelector('[data-chart=wear-map] .mark-rect path')).shapeRendering"
    assert browser.execute_script(shown).lower() == "crispedges"
