"""A page at every width and on paper: nothing cut, nothing over something else."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from browser.driving import PAGES, needs_browser, open_made, open_page, window

pytestmark = needs_browser


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
def test_charts_and_their_menus_pass_below_the_bar(
    browser: webdriver.Chrome, request: pytest.FixtureRequest, made: str, width: int
) -> None:
    with window(browser, width):
        open_made(browser, request, made)
        above = browser.execute_script(
            """
            const bar = document.querySelector('.top');
            const middle = bar.getBoundingClientRect().height / 2;
            const found = [];
            document.body.style.paddingBottom = '100vh';  // the last chart comes as far up as the first
            for (const part of document.querySelectorAll('.chart summary, .chart svg.marks')) {
              const before = part.getBoundingClientRect();
              scrollBy({ top: before.top + before.height / 2 - middle, behavior: 'instant' });
              const at = part.getBoundingClientRect();
              const seen = document.elementFromPoint(at.left + at.width / 2, middle);
              if (at.top > middle || at.bottom < middle) found.push(`${part.tagName} does not reach the bar`);
              else if (!bar.contains(seen)) found.push(`${part.tagName} of ${part.closest('.chart').dataset.chart}`);
            }
            return found;
            """
        )
        assert above == []


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
