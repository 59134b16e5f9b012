"""Many runs of one study: axes over its keys, a table of figures with their intervals."""
