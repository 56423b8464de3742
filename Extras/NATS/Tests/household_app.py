"""Makes a new app that of the article about a household: household_app.py FOLDER"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "Tools"))
import guides  # noqa: E402

COUNTER = re.compile(r" *<p><output id=\"count\".*?Increment</button></p>\n", re.DOTALL)


def main(folder):
    shown = guides.files("AHousehold.md")
    page, count = COUNTER.subn(lambda _: shown["web/index.html"], (folder / "web/index.html").read_text())
    assert count == 1
    guides.write(folder, {**shown, "web/index.html": page})


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
