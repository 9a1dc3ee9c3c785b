"""httpx's calls, patient: its own five seconds are not enough beside many busy processes."""

from functools import partial

import httpx

from support.process_data import TIMEOUT_S

request, stream = (partial(one, timeout=TIMEOUT_S) for one in (httpx.request, httpx.stream))
get, head, post = (partial(request, method) for method in ("GET", "HEAD", "POST"))
