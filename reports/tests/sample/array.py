"""A result of an array, whose dies work beside the host."""

from __future__ import annotations

from sample.result import Json, result


def array_result() -> Json:
    """Three of four dies work, two thirds of their time for cleaning, for which writes wait."""
    document = result(reads=False)
    simulated = document["time"]["simulated_s"]
    worked = 3 * simulated
    document["dies"] = {
        "time_by_cause_s": {"host": worked / 3, "clean": 2 * worked / 3},
        "time_by_operation_s": {"buffer_program": worked - 30, "erase": 30},
        "mean_working": 3.0,
        "utilization": 0.75,
        "utilization_least": 0.7,
        "utilization_most": 0.8,
    }
    write = document["latency"]["write"]
    write["parts_s"] = {"queue": 0.0, "die": 0.75 * write["mean_s"], "cells": 0.25 * write["mean_s"]}
    write["parts_by_percentile"] = {"p50": {"die": 0.001, "cells": 0.003}, "p999": {"die": 0.9, "cells": 0.1}}
    document["channels"] = {"time_s": simulated / 8, "utilization": 0.125}
    document["write_amplification_bytes"] = 4 * document["write_amplification"]
    return document
