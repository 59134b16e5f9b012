"""The result files as typed, frozen values (docs/results.md). Parsing lives beside each type."""
