"""A page at every width: nothing cut, nothing over something else. Every test here leaves the page as it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from browser.driving import MADE, needs_browser, open_made, window

pytestmark = needs_browser


@pytest.fixture(scope="module")
def opened(browser: webdriver.Chrome, request: pytest.FixtureRequest) -> Iterator[webdriver.Chrome]:
    """Shows a page of that kind in a window of that width, opened once for all tests that look at it."""
    made, width = request.param
    with window(browser, width):
        open_made(browser, request, made)
        yield browser


def at_widths(*widths: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("opened", [(made, width) for made in MADE for width in widths], indirect=True)


@at_widths(1280)
def test_words_in_plots_do_not_overlap(opened: webdriver.Chrome) -> None:
    overlaps = opened.execute_script(
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


@at_widths(1280, 800, 420, 360)
def test_no_plot_is_clipped_and_the_page_does_not_scroll_sideways(opened: webdriver.Chrome) -> None:
    assert opened.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    clipped = opened.execute_script(
        "return [...document.querySelectorAll('.chart')].filter(e => e.scrollWidth > e.clientWidth + 1)"
        ".map(e => e.dataset.chart)"
    )
    assert clipped == []
    # A flame graph shortens names to its boxes.
    cut = opened.execute_script(
        """return [...document.querySelectorAll(".chart:not([data-chart^='flame']) svg.marks text")]
        .map(t => t.textContent).filter(t => t.includes('…'))"""
    )
    assert cut == []


@at_widths(1280, 420)
def test_charts_and_their_menus_pass_below_the_bar(opened: webdriver.Chrome) -> None:
    above = opened.execute_script(
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
        document.body.style.paddingBottom = '';
        scrollTo({ top: 0, behavior: 'instant' });
        return found;
        """
    )
    assert above == []


@at_widths(1280, 420)
def test_values_stay_within_their_tile(opened: webdriver.Chrome) -> None:
    overflowing = opened.execute_script(
        "return [...document.querySelectorAll('.card')].filter(e => e.scrollWidth > e.clientWidth)"
        ".map(e => e.textContent.trim())"
    )
    assert overflowing == []


@at_widths(1280)
def test_every_column_is_seen_on_a_desktop(opened: webdriver.Chrome) -> None:
    hidden = opened.execute_script(
        "return [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)"
        ".map(e => e.getAttribute('aria-label'))"
    )
    assert hidden == []


@at_widths(390)
def test_no_table_is_cut_on_a_phone(opened: webdriver.Chrome) -> None:
    hidden = opened.execute_async_script(
        """
        const done = arguments[0];
        const cut = e => e.scrollWidth > e.clientWidth + 1;
        setTimeout(() => done([...document.querySelectorAll('.scroll, .scroll td > span')].filter(cut).length), 200);
        """
    )
    assert hidden == 0


@pytest.mark.parametrize("opened", [("page", 390)], indirect=True)
def test_a_cell_says_its_column_where_its_row_is_a_block(opened: webdriver.Chrome) -> None:
    said = opened.execute_script(
        "const cell = document.querySelector('.stacked td'); return getComputedStyle(cell, '::before').content"
    )
    assert said == '"Greedy / M1"'


@at_widths(1280, 420)
def test_words_stay_whole(opened: webdriver.Chrome) -> None:
    broken = opened.execute_script(
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


@pytest.mark.parametrize("opened", [("page", width) for width in (1280, 800, 420, 360)], indirect=True)
def test_a_number_in_a_plot_stands_on_one_line_with_its_unit(opened: webdriver.Chrome) -> None:
    broken = opened.execute_script(
        r"""
        return ['V', 'J/', 'MiB', 'MiB/', '%'].flatMap(unit =>
          [...document.querySelectorAll('svg.marks tspan')].map(line => line.textContent.trim())
            .filter(line => line === unit || line.endsWith(' ' + unit) && unit.endsWith('/')));
        """
    )
    assert broken == []
