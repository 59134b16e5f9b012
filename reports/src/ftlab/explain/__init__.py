"""Where the time of one run went: request by request, operation by operation."""
