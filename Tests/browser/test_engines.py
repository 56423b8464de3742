"""The contract of engines, JavaScript/testing/contract.js, over those that only a browser has."""

import pytest
from website import WEB

SCRIPTS = WEB.parent / "JavaScript"
NAMES = ["indexeddb.js", "testing/contract.js", "testing/rules.js", "testing/clients.js"]
PAGE = "<!DOCTYPE html><meta charset=utf-8><title>Engines</title><link rel=icon href=data:,>"
FAILURES = """
  (async () => {
    const { indexedDB } = await import("/indexeddb.js");
    const { contractFailures } = await import("/testing/contract.js");
    const options = { severalKeys: true };
    return [
      await contractFailures(() => indexedDB(window), options),
      await contractFailures(() => indexedDB(window), options),
    ];
  })()
"""


@pytest.mark.rule("R31")
def test_indexeddb_keeps_the_contract_of_engines_also_when_it_has_values(open_tab, website):
    website.answer("engines.html", PAGE)
    for name in NAMES:
        website.answer(name, (SCRIPTS / name).read_bytes(), "text/javascript")
    assert open_tab("engines.html").value(FAILURES) == [[], []]
