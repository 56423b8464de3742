"""The hosts of workloads. A host lists them, prepares them, and times them in turns.

`renew` starts again with nothing prepared, so that no row depends on earlier ones.
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
