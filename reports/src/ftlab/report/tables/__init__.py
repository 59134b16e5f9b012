"""One module for each table: make(report) -> list of blocks; empty where the report has nothing to show."""
