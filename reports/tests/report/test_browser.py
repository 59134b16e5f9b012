"""The page in a real browser: no console errors, no requests, every plot drawn in both looks."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import sample
from ftlab.commands import main

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1300,1000",
)  # fmt: skip

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="NOT TESTED in a browser: chromium and chromedriver are not installed (Debian: chromium, chromium-driver)",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = sample.write_study(tmp_path_factory.mktemp("page"))
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for option in (*OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


def open_page(browser: webdriver.Chrome, page: Path) -> None:
    browser.get(page.as_uri())
    wait_drawn(browser)


def wait_drawn(browser: webdriver.Chrome, look: str = "") -> None:
    script = (
        "return document.documentElement.dataset.ready === 'yes' && "
        "[...document.querySelectorAll('[data-chart]')].every(e => !arguments[0] || e.dataset.drawn === arguments[0])"
    )
    WebDriverWait(browser, 60).until(lambda driver: driver.execute_script(script, look))


def console(browser: webdriver.Chrome) -> list[str]:
    return [str(entry["message"]) for entry in browser.get_log("browser")]  # type: ignore[no-untyped-call]  # of selenium


def test_every_plot_is_drawn_without_console_messages(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    assert console(browser) == []
    holders = browser.find_elements(By.CSS_SELECTOR, "[data-chart]")
    names = {holder.get_attribute("data-chart") for holder in holders}
    assert names == {path.stem for path in (page.parent / "figures").glob("*.svg")}
    for holder in holders:
        shapes = browser.execute_script(
            "return [...arguments[0].querySelectorAll('svg.marks path')]"
            ".filter(p => { const b = p.getBBox(); return b.width + b.height > 2; }).length",
            holder,
        )
        assert shapes > 5, holder.get_attribute("data-chart")


def test_nothing_is_fetched(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    fetched = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert [name for name in fetched if not str(name).startswith(("data:", "blob:"))] == []


def test_look_can_be_switched(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    ground = "return getComputedStyle(document.body).backgroundColor"
    before = browser.execute_script(ground)
    look = browser.execute_script("return document.querySelector('[data-chart]').dataset.drawn")
    browser.find_element(By.ID, "theme").click()
    wait_drawn(browser, "dark" if look == "light" else "light")
    assert browser.execute_script(ground) != before
    assert console(browser) == []


def test_words_in_plots_do_not_overlap(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    overlaps = browser.execute_script(
        """
        const found = [];
        for (const holder of document.querySelectorAll('[data-chart]')) {
          const boxes = [...holder.querySelectorAll('svg.marks text')]
            .filter(t => t.textContent.trim() && getComputedStyle(t).opacity !== '0')
            .map(t => [t.textContent, t.getBoundingClientRect()]).filter(([, b]) => b.width > 0);
          for (let i = 0; i < boxes.length; ++i) for (let j = i + 1; j < boxes.length; ++j) {
            const [a, b] = [boxes[i][1], boxes[j][1]];
            const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (w > 2 && h > 4) found.push(holder.dataset.chart + ': ' + boxes[i][0] + ' / ' + boxes[j][0]);
          }
        }
        return found;
        """
    )
    assert overlaps == []


def test_page_does_not_scroll_sideways_on_a_telephone(browser: webdriver.Chrome, page: Path) -> None:
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        open_page(browser, page)
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= 390
        assert console(browser) == []
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_plots_say_what_they_show(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    for holder in browser.find_elements(By.CSS_SELECTOR, "[data-chart]"):
        label = holder.get_attribute("aria-label") or ""
        assert len(label) > 30
        assert re.search(r"\d", label)
