"""`python -m ftlab COMMAND ...`: the commands of ftlab that this side answers."""

import sys

from ftlab.commands import main

sys.exit(main(sys.argv[1:]))
