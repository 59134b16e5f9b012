"""What is picked on a page: figures against each other, held axes."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from browser.driving import console, needs_browser, open_page, switch_look, wait_drawn, window

pytestmark = needs_browser

CHOICE = "[data-choice='trade-off']"
THROUGHPUT, RESPONSE, ENERGY = "Write throughput", "Write latency, 99th percentile", "Energy per MiB written"


def test_a_held_axis_is_picked_and_stays_so_when_the_look_changes(browser: webdriver.Chrome, held: Path) -> None:
    open_page(browser, held)
    holder = browser.find_element(By.CSS_SELECTOR, "[data-chart='sweep-write-amplification']")

    def ticks() -> list[str]:
        script = "return [...arguments[0].querySelectorAll('.role-axis-label text')].map(e => e.textContent)"
        return list(browser.execute_script(script, holder))

    before = ticks()
    box = Select(holder.find_element(By.CSS_SELECTOR, ".vega-bind select"))
    assert [option.text for option in box.options] == ["1 KiB", "2 KiB"]
    box.select_by_visible_text("2 KiB")
    WebDriverWait(browser, 10).until(lambda _: ticks() != before)
    picked = ticks()
    switch_look(browser)
    wait_drawn(browser, "dark")
    assert ticks() == picked
    assert Select(holder.find_element(By.CSS_SELECTOR, ".vega-bind select")).first_selected_option.text == "2 KiB"
    assert console(browser) == []


def sides(browser: webdriver.Chrome) -> list[str]:
    """The titles of the axes of what is drawn now: across, up."""
    script = (
        "return ['x', 'y'].map(side => [...document.querySelectorAll(`${arguments[0]} .role-axis-title text`)]"
        ".filter(t => (t.getBoundingClientRect().width > t.getBoundingClientRect().height) === (side === 'x'))"
        ".map(t => t.textContent).join(' '))"
    )
    found: list[str] = browser.execute_script(script, CHOICE)
    return found


def pick(browser: webdriver.Chrome, side: str, name: str) -> None:
    Select(browser.find_element(By.CSS_SELECTOR, f"{CHOICE} [data-side={side}]")).select_by_visible_text(name)


def wait_sides(browser: webdriver.Chrome, across: str, up: str) -> None:
    def there(_: webdriver.Chrome) -> bool:
        # A title may stand on several lines.
        titles = [title.replace(" ", "") for title in sides(browser)]
        return titles[0].startswith(across.replace(" ", "")) and titles[1].startswith(up.replace(" ", ""))

    WebDriverWait(browser, 10).until(there)
    assert len(browser.find_elements(By.CSS_SELECTOR, f"{CHOICE} .chart .role-mark path")) > 2


@pytest.mark.parametrize("width", [1280, 420])
def test_two_figures_are_picked_and_drawn_against_each_other(
    browser: webdriver.Chrome, traded: Path, width: int
) -> None:
    with window(browser, width):
        open_page(browser, traded)
        wait_sides(browser, THROUGHPUT, RESPONSE)
        caption = browser.find_element(By.CSS_SELECTOR, f"{CHOICE} .on-screen")
        assert caption.text.startswith(f"Wanted: {THROUGHPUT} large and {RESPONSE} small.")
        pick(browser, "y", ENERGY)
        wait_sides(browser, THROUGHPUT, ENERGY)
        assert caption.text.startswith(f"Wanted: {THROUGHPUT} large and {ENERGY} small.")
        holder = browser.find_element(By.CSS_SELECTOR, f"{CHOICE} .chart")
        assert (holder.get_attribute("aria-label") or "").startswith(f"{ENERGY} against {THROUGHPUT}.")
        pick(browser, "x", RESPONSE)
        wait_sides(browser, RESPONSE, ENERGY)
        pick(browser, "x", ENERGY)  # what stood there goes to the other side
        wait_sides(browser, ENERGY, RESPONSE)
        switch_look(browser)
        wait_drawn(browser, "dark")
        wait_sides(browser, ENERGY, RESPONSE)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert console(browser) == []


def test_paper_has_the_first_two_figures_whatever_is_picked(browser: webdriver.Chrome, traded: Path) -> None:
    open_page(browser, traded)
    pick(browser, "y", ENERGY)
    wait_sides(browser, THROUGHPUT, ENERGY)
    with window(browser, 696, media="print"):
        browser.execute_script("dispatchEvent(new Event('beforeprint'))")
        figure = browser.find_element(By.CSS_SELECTOR, CHOICE)
        titles = [title.text for title in figure.find_elements(By.CSS_SELECTOR, ".still .role-axis-title text")]
        assert [title.rpartition(",")[0] for title in titles] == [THROUGHPUT, RESPONSE]
        assert f"{RESPONSE} small" in figure.text
        assert ENERGY not in figure.text
        assert not figure.find_element(By.CSS_SELECTOR, ".picker").is_displayed()
