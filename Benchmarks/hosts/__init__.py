"""Where workloads run. A host lists them, prepares them, and times them in turns.

`renew` begins anew, with nothing prepared: no row depends on those before it.
"""

from .browsers import Chromium, Firefox
from .native import Native
from .page import Page
from .wasm import Wasm

HOSTS = {
    "native": Native,
    "wasm": Wasm,
    "chromium": Chromium,
    "firefox": Firefox,
    "page": Page,
}
