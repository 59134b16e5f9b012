"""The flame graph: a click on a function shows it alone, one on the topmost bar everything again."""

from __future__ import annotations

from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from browser.driving import console, needs_browser, open_page

pytestmark = needs_browser

BARS = "[data-chart='flame-0'] .mark-rect.role-mark path"


def bars(browser: webdriver.Chrome) -> list[WebElement]:
    return browser.find_elements(By.CSS_SELECTOR, BARS)


def bar(browser: webdriver.Chrome, function: str) -> WebElement:
    return next(one for one in bars(browser) if f"function: {function};" in (one.get_attribute("aria-label") or ""))


def wait_bars(browser: webdriver.Chrome, count: int) -> None:
    WebDriverWait(browser, 10).until(lambda driver: len(bars(driver)) == count)


def test_a_function_is_shown_alone_and_all_again(browser: webdriver.Chrome, profiled: Path) -> None:
    open_page(browser, profiled)
    whole = bar(browser, "all awake cycles").rect["width"]
    assert len(bars(browser)) == 15
    assert bar(browser, "cleaning").rect["width"] < whole / 10
    for clicked, shown in (("cleaning", 9), ("all awake cycles", 15)):
        target = bar(browser, clicked)
        browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", target)
        webdriver.ActionChains(browser).move_to_element(target).click().perform()
        wait_bars(browser, shown)
        assert (bar(browser, "cleaning").rect["width"] > whole * 0.99) == (clicked == "cleaning")
    assert console(browser) == []
