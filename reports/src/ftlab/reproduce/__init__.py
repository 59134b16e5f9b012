"""Published tables and figures beside ours: experiments as data (experiments/PAPER/*.toml), and one engine for all."""
