"""Removes the parameters `fileID` and `line` from the symbol graphs in a folder.

The compiler fills them in. Without this, docc would require their documentation wherever the other
parameters have some.
"""

import json
import pathlib
import sys

for path in pathlib.Path(sys.argv[1]).glob("*.symbols.json"):
    graph = json.loads(path.read_text())
    for symbol in graph["symbols"]:
        signature = symbol.get("functionSignature", {})
        if "parameters" in signature:
            signature["parameters"] = [
                parameter
                for parameter in signature["parameters"]
                if (parameter.get("internalName") or parameter["name"]) not in {"fileID", "line"}
            ]
    path.write_text(json.dumps(graph))
