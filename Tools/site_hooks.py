"""Hooks of MkDocs for mkdocs.yml: what the site shows beside the articles of docs.

The start page is README.md. The navigation has the articles in the order of their list in
wasm-sharing.md, then the API, the demo if web/demo.wasm is built, and the repository at the
address in the variable DOCS_SOURCE if it is set.
"""

import os
import pathlib
import re

from mkdocs.structure.files import File
from mkdocs.structure.nav import Link

ROOT = pathlib.Path(__file__).resolve().parents[1]
ARTICLES = "Documentation.docc"
OVERVIEW = f"{ARTICLES}/wasm-sharing.md"
SOURCE = os.environ.get("DOCS_SOURCE", "").removesuffix("/")


def on_config(config):
    overview = (ROOT / "docs" / OVERVIEW).read_text()
    articles = [{"All articles": OVERVIEW}, *sections(overview)]
    config.nav = [{"Start": "index.md"}, {"Articles": articles}]
    return config


def on_files(files, config):
    home = start_page((ROOT / "README.md").read_text())
    home = f"---\nhide: [navigation]\n---\n{home}"  # it would be the only entry
    files.append(File.generated(config, "index.md", content=home))
    files.append(File.generated(config, "favicon.svg", abs_src_path=str(ROOT / "web/favicon.svg")))
    return files


def on_nav(nav, config, files):
    nav.items.append(Link("API", "api/documentation/wasm-sharing/"))
    if (ROOT / "web/demo.wasm").exists():
        nav.items.append(Link("Demo", "demo/"))
    if SOURCE:
        nav.items.append(Link("Source", SOURCE))
    return nav


def on_page_markdown(markdown, **_):
    """Removes the comments, which are for Tools/check_docs.py."""
    return re.sub(r"^ *<!--.*?-->\n", "", markdown, flags=re.MULTILINE | re.DOTALL)


def on_post_page(output, **_):
    """Names the search, for screen readers."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')


def sections(overview):
    """Returns the lists of articles by their headings, as MkDocs's navigation."""
    found = []
    for part in overview.split("\n## ")[1:]:
        heading, _, text = part.partition("\n")
        links = re.findall(r"^- \[.+\]\((.+)\)$", text, re.MULTILINE)
        if links:
            found.append({heading: [os.path.normpath(f"{ARTICLES}/{link}") for link in links]})
    return found


def start_page(readme):
    """Returns README.md with links that work in the site. A link to a file outside docs leads to
    the repository, or is text without a link."""
    if SOURCE:
        readme = readme.replace("git clone URL", f"git clone {SOURCE}")
    return re.sub(r"\[([^]]+)\]\((?!\w+:)([^)]+)\)", with_target, readme)


def with_target(link):
    label, path = link.groups()
    if path.startswith("docs/"):
        return f"[{label}]({path.removeprefix('docs/')})"
    return f"[{label}]({SOURCE}/blob/main/{path})" if SOURCE else label
