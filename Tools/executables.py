"""Prints the executable of a package that is to be built: executables.py [NAME] reads what
`swift package describe --type json` prints."""

import json
import sys

text = sys.stdin.read()
package = json.loads(text[text.index("{"):]) if "{" in text else sys.exit(1)
names = sorted({one["name"] for one in package["products"] if "executable" in one["type"]})
wanted = sys.argv[1]
if wanted in names:
    print(wanted)
elif not names:
    sys.exit(f"The package {package['name']} has no executable: give it an .executableTarget.")
elif wanted:
    sys.exit(f"There is no executable {wanted}. There are: {', '.join(names)}.")
elif len(names) == 1:
    print(names[0])
else:
    sys.exit(f"Name one of the executables with --product: {', '.join(names)}.")
