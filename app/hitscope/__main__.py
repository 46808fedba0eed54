"""`python -m hitscope` is the command `hitscope`."""

import sys

from hitscope.cli import main

sys.exit(main())
