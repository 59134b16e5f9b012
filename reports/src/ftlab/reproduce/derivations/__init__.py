"""Functions of expressions: what is read off a run that no single figure says. A new one is a function and a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ftlab.reproduce.derivations import (
    endurance,
    lifetime,
    models,
    response,
    throughput,
    timeline,
    trade_off,
    valid_pages,
)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "alpha_points": throughput.alpha_points,
    "collapse_at": throughput.collapse_at,
    "crossing_of": throughput.crossing_of,
    "mean_alpha": throughput.mean_alpha,
    "mean_rate": throughput.mean_rate,
    "overall_rate": throughput.overall_rate,
    "rate_points": throughput.rate_points,
    "steady_up_to": throughput.steady_up_to,
    "throughput_curve": throughput.throughput_curve,
    "percent_above": response.percent_above,
    "percent_delayed": response.percent_delayed,
    "distribution_points": response.distribution_points,
    "slower_points": response.slower_points,
    "extrapolated_life": lifetime.extrapolated_life,
    "erase_count_points": endurance.erase_count_points,
    "wear_index": endurance.wear_index,
    "wear_index_points": endurance.wear_index_points,
    "written_by_budget": endurance.written_by_budget,
    "written_by_budget_points": endurance.written_by_budget_points,
    "lru_model": models.lru_model,
    "greedy_model": models.greedy_model,
    "greedy_exact_model": models.greedy_exact_model,
    "d_choices_model": models.d_choices_model,
    "lru_hot_cold_model": models.lru_hot_cold_model,
    "greedy_hot_cold_model": models.greedy_hot_cold_model,
    "optimal_split_model": models.optimal_split_model,
    "cat_linear_model": models.cat_linear_model,
    "cat_log2_model": models.cat_log2_model,
    "trace_lru_model": models.trace_lru_model,
    "timeline_at": timeline.timeline_at,
    "timeline_before": timeline.timeline_before,
    "timeline_mean": timeline.timeline_mean,
    "timeline_points": timeline.timeline_points,
    "window_points": timeline.window_points,
    "beaten_by": trade_off.beaten_by,
    "rank_correlation": trade_off.rank_correlation,
    "fewest_valid": valid_pages.fewest_valid,
    "occupancy_exponent": valid_pages.occupancy_exponent,
    "valid_points": valid_pages.valid_points,
    "valid_share": valid_pages.valid_share,
}
