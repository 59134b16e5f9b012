"""The page in a real browser: no console errors, no requests, every plot drawn in both looks."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

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
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs with long names, figures of many digits, and requests so rare that their share is a few in a million."""
    directory = tmp_path_factory.mktemp("crowded")
    for index, policy in enumerate((*sample.POLICIES, sample.POLICIES[0])):
        value = sample.result(policy, seed=index + 1)
        value["energy"]["j_per_host_mib"] = 0.01724
        value["throughput"]["write_bytes_per_s"] = 1023.4 * 1024
        value["workload"]["trace"] = {"sha256": "949eecedac5682be9a349f8028fd25a2a458ae99944f7a8838038044ed6b96f8"}
        name = policy.label.lower().replace(" / ", "_with_redistribution_")
        sample.write_json(directory / f"{name}-{index}" / "result.json", value)
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = sample.write_weighed(sample.write_sweep(tmp_path_factory.mktemp("swept")))
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="module")
def traded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep with four figures that are weighed against each other."""
    directory = sample.write_trade_off(tmp_path_factory.mktemp("traded"))
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a timeline."""
    value = sample.result()
    value["timeline"] = {
        "time_s": [0, 30, 60, 90], "bytes_written": [0, 2e6, 5e6, 6e6], "slc_share": [1, 0.5, 0.4, 0.4],
        "delta": [1, 0.6, 0.4, 0.5], "slc_segments": [0, 4, 6, 2], "mlc_segments": [0, 1, 3, 9], "anchors": [0, 1, 1, 2],
    }  # fmt: skip
    directory = tmp_path_factory.mktemp("sampled")
    sample.write_json(directory / "result.json", value)
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
        "const root = document.documentElement.dataset;"
        "return root.ready === 'yes' && Number(root.width) === innerWidth && "
        "[...document.querySelectorAll('[data-chart]')].every(e => !arguments[0] || e.dataset.drawn === arguments[0])"
    )
    WebDriverWait(browser, 60).until(lambda driver: driver.execute_script(script, look))


def console(browser: webdriver.Chrome) -> list[str]:
    return [str(entry["message"]) for entry in browser.get_log("browser")]  # type: ignore[no-untyped-call]  # of selenium


PAGES = pytest.mark.parametrize("made", ["page", "crowded", "swept", "traded", "sampled"])


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


UNFOLD = "document.querySelectorAll('details.block').forEach(e => { e.open = true; });"


def open_made(browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str) -> None:
    open_page(browser, request.getfixturevalue(made))
    browser.execute_script(UNFOLD)
    wait_drawn(browser)
    assert console(browser) == []


@PAGES
@pytest.mark.parametrize("width", [1280, 800, 420, 360])
def test_no_plot_is_clipped_and_the_page_does_not_scroll_sideways(
    browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str, width: int
) -> None:
    with window(browser, width):
        open_made(browser, request, made)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        clipped = browser.execute_script(
            "return [...document.querySelectorAll('.chart')].filter(e => e.scrollWidth > e.clientWidth + 1)"
            ".map(e => e.dataset.chart)"
        )
        assert clipped == []
        cut = browser.execute_script(
            "return [...document.querySelectorAll('svg.marks text')].map(t => t.textContent).filter(t => t.includes('…'))"
        )
        assert cut == []


@PAGES
@pytest.mark.parametrize("width", [1280, 420])
def test_values_stay_within_their_tile(
    browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str, width: int
) -> None:
    with window(browser, width):
        open_made(browser, request, made)
        overflowing = browser.execute_script(
            "return [...document.querySelectorAll('.card')].filter(e => e.scrollWidth > e.clientWidth)"
            ".map(e => e.textContent.trim())"
        )
        assert overflowing == []


@PAGES
def test_every_column_is_seen_on_a_desktop(
    browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str
) -> None:
    with window(browser, 1280):
        open_made(browser, request, made)
        hidden = browser.execute_script(
            "return [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)"
            ".map(e => e.getAttribute('aria-label'))"
        )
        assert hidden == []


@PAGES
def test_no_table_is_cut_on_a_phone(browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str) -> None:
    with window(browser, 390):
        open_made(browser, request, made)
        hidden = browser.execute_async_script(
            """
            const done = arguments[0];
            for (const folded of document.querySelectorAll('details.block')) folded.open = true;
            const cut = e => e.scrollWidth > e.clientWidth + 1;
            setTimeout(() => done([...document.querySelectorAll('.scroll, .scroll td > span')].filter(cut).length), 200);
            """
        )
        assert hidden == 0


def test_a_cell_says_its_column_where_its_row_is_a_block(browser: webdriver.Chrome, page: Path) -> None:
    with window(browser, 390):
        open_page(browser, page)
        said = browser.execute_script(
            "const cell = document.querySelector('.stacked td'); return getComputedStyle(cell, '::before').content"
        )
    assert said == '"Greedy / M1"'


def test_a_held_axis_is_picked_and_stays_so_when_the_look_changes(browser: webdriver.Chrome, tmp_path: Path) -> None:
    axes = {"ftl.utilization": ["0.5", "0.8"], "ftl.selection": list("abcde"), "ftl.page_bytes": ["1024", "2048"]}
    figures = [{"path": "write_amplification", "unit": "", "help": "pages"}]
    assert main(["report", str(sample.write_grid(tmp_path, axes, figures))]) == 0
    open_page(browser, tmp_path / "report.html")
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
    browser.find_element(By.ID, "theme").click()
    wait_drawn(browser, "dark")
    assert ticks() == picked
    assert Select(holder.find_element(By.CSS_SELECTOR, ".vega-bind select")).first_selected_option.text == "2 KiB"
    assert console(browser) == []


@PAGES
@pytest.mark.parametrize("width", [1280, 420])
def test_words_stay_whole(browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str, width: int) -> None:
    with window(browser, width):
        open_made(browser, request, made)
        broken = browser.execute_script(
            r"""
            const found = [];
            const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
            for (let node; (node = walker.nextNode()); ) {
              if (node.parentElement.closest('svg, noscript')) continue;
              for (const word of node.textContent.matchAll(/[^\s\-–\/]+/g)) {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].filter(b => b.width > 0).map(b => Math.round(b.top)));
                if (lines.size > 1) found.push(word[0]);
              }
            }
            return found;
            """
        )
        assert broken == []


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


def test_plots_say_what_they_show(browser: webdriver.Chrome, page: Path) -> None:
    open_page(browser, page)
    for holder in browser.find_elements(By.CSS_SELECTOR, "[data-chart]"):
        label = holder.get_attribute("aria-label") or ""
        assert len(label) > 30
        assert re.search(r"\d", label)


CHOICE = "[data-choice='trade-off']"
THROUGHPUT, RESPONSE, ENERGY = "Write throughput", "Write latency, 99th percentile", "Energy per MiB written"


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
        browser.find_element(By.ID, "theme").click()
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
