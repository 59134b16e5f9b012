"""One module for each figure: make(report) -> list[Figure]; empty where the report has nothing to show."""
