"""Pages of every kind, and a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

import sample
from browser.driving import CHROMIUM, DRIVER
from ftlab.commands import main

OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1300,1000",
)  # fmt: skip


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = sample.write_study(tmp_path_factory.mktemp("page"))
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = sample.write_weighed(sample.write_sweep(tmp_path_factory.mktemp("swept")))
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="session")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep whose charts and maps hold an axis at a value that is picked below them: the size of pages."""
    axes = {"ftl.utilization": ["0.5", "0.8"], "ftl.selection": list("abcde"), "ftl.page_bytes": ["1024", "2048"]}
    figures = [{"path": "write_amplification", "unit": "", "help": "pages"}]
    directory = sample.write_grid(tmp_path_factory.mktemp("held"), axes, figures)
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="session")
def traded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep with four figures that are weighed against each other."""
    directory = sample.write_trade_off(tmp_path_factory.mktemp("traded"))
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def dies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on an array."""
    directory = tmp_path_factory.mktemp("dies")
    sample.write_json(directory / "result.json", sample.array_result())
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="session")
def profiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on a simulated core with its profile."""
    directory = sample.write_profiled(tmp_path_factory.mktemp("profiled"))
    assert main(["report", str(directory)]) == 0
    return directory / "report.html"


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for option in (*OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()
