"""Counts the words of README.md, docs/DESIGN.md and the articles, and fails above a ceiling:
words.py [--each]

A word has a letter or a digit. Words of tables are counted; code blocks, comments, the addresses of
links, and an article's list of its sections are not. `--each` prints the words of each article.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CATALOG = ROOT / "docs/Documentation.docc"
CEILINGS = {"README.md": 700, "docs/DESIGN.md": 3_000, "the articles": 15_000}
OTHER = re.compile(
    r"^ *```.*?^ *```$|<!--.*?-->|\]\([^)]*\)|^In this article: .*?\n\n", re.MULTILINE | re.DOTALL
)


def words(text):
    """Returns the number of words of a page."""
    return sum(bool(re.search(r"\w", word)) for word in OTHER.sub(" ", text).split())


def counts():
    """Returns the words of each document and of each article, by name."""
    read = {name: words((ROOT / name).read_text()) for name in ["README.md", "docs/DESIGN.md"]}
    articles = {path.name: words(path.read_text()) for path in sorted(CATALOG.glob("*.md"))}
    return {**read, "the articles": sum(articles.values())}, articles


def main(arguments):
    if set(arguments) - {"--each"}:
        sys.exit(__doc__)
    found, articles = counts()
    if "--each" in arguments:
        print("".join(f"{count:6} {name}\n" for name, count in articles.items()))
    for name, count in found.items():
        print(f"{count:6} words of {CEILINGS[name]}: {name}")
    if over := [name for name, count in found.items() if count > CEILINGS[name]]:
        sys.exit(f"Too many words: {', '.join(over)}. Take away before you add.")


if __name__ == "__main__":
    main(sys.argv[1:])
