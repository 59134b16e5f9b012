"""What tests do with a page in a real browser."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

needs_browser = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="NOT TESTED in a browser: chromium and chromedriver are not installed (Debian: chromium, chromium-driver)",
)
MADE = ("page", "crowded", "swept", "traded", "sampled", "dies", "profiled")
PAGES = pytest.mark.parametrize("made", MADE)
UNFOLD = "document.querySelectorAll('details.block').forEach(e => { e.open = true; });"


def open_page(browser: webdriver.Chrome, page: Path) -> None:
    browser.get(page.as_uri())
    wait_drawn(browser)


def wait_drawn(browser: webdriver.Chrome, look: str = "") -> None:
    script = (
        "const root = document.documentElement.dataset;"
        "return root.ready === 'yes' && Number(root.width) === innerWidth && "
        "[...document.querySelectorAll('[data-chart]')].every(e => !arguments[0] || e.dataset.drawn === arguments[0])"
    )
    WebDriverWait(browser, 60).until(lambda driver: driver.execute_script(script, look))


def switch_look(browser: webdriver.Chrome) -> None:
    """Presses the button for light or dark."""
    browser.find_element(By.ID, "theme").click()


def console(browser: webdriver.Chrome) -> list[str]:
    return [str(entry["message"]) for entry in browser.get_log("browser")]  # type: ignore[no-untyped-call]  # of selenium


@contextlib.contextmanager
def window(browser: webdriver.Chrome, width: int, media: str = "") -> Iterator[None]:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def open_made(browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str) -> None:
    open_page(browser, request.getfixturevalue(made))
    browser.execute_script(UNFOLD)
    wait_drawn(browser)
    assert console(browser) == []
