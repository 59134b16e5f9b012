"""`python -m ftlab_reports`."""

import sys

from ftlab_reports.cli import main

sys.exit(main())
