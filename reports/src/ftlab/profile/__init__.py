"""Where the cycles of a simulated core went: what `ftlab run --profile` writes, read and summed up."""
