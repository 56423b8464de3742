"""Writes the parts of the site that docc does not write, from docs/site. `landing.py header
CATALOG` writes the header of docc's pages into a catalog. `landing.py pages OUTPUT` writes the
landing page, the search, and the demo if web/demo.wasm is built, into a site that docc has written.

The landing page quotes README.md: its first sentence, the code, the commands, the reasons and their
figures. It quotes the titles and the first sentences of articles. So it cannot contradict them.

Variables: DOCS_BASE and DOCS_SOURCE, see docs.sh. Without DOCS_SOURCE, no page links to the
repository, and the commands say URL as in README.md.
"""

import html
import os
import pathlib
import re
import shutil
import sys

import search_index

ROOT = pathlib.Path(__file__).resolve().parents[1]
SITE = ROOT / "docs/site"
CATALOG = ROOT / "docs/Documentation.docc"
README = ROOT / "README.md"
DEMO = ROOT / "web"

# Markdown in a line: code, a link, or bold text.
INLINE = re.compile(r"`([^`]+)`|\[([^]]+)\]\(([^)]+)\)|\*\*([^*]+)\*\*")
TOKEN = re.compile(
    r"(?P<comment>(?<!\S)(?://|#).*)"
    r'|(?P<string>"[^"\n]*")'
    r"|(?P<keyword>@\w+|\b(?:import|struct|var|func)\b|</?\w+)"
)


class Problem(Exception):
    """A source of the site does not have what the site quotes."""


def main(arguments):
    source = os.environ.get("DOCS_SOURCE", "").removesuffix("/")
    try:
        match arguments:
            case ["header", catalog]:
                base = os.environ.get("DOCS_BASE", "/").rstrip("/")
                (pathlib.Path(catalog) / "header.html").write_text(header(base, source))
            case ["pages", output]:
                write_pages(pathlib.Path(output), source)
            case _:
                sys.exit(__doc__)
    except Problem as problem:
        sys.exit(f"landing.py: {problem}")


def write_pages(output, source):
    shutil.copytree(
        SITE, output / "site", ignore=shutil.ignore_patterns("*.html"), dirs_exist_ok=True
    )
    shutil.copy(ROOT / "docs/demo.png", output / "site")
    if has_demo():
        shutil.copytree(
            DEMO, output / "demo", ignore=shutil.ignore_patterns("dev"), dirs_exist_ok=True
        )
    (output / "index.html").write_text(landing(README.read_text(), source))
    search_index.write(output)
    write_icon(output)
    if broken := broken_links(output):
        raise Problem("the landing page links to missing files: " + ", ".join(broken))


def write_icon(output):
    """Gives docc's pages the icon of the demo."""
    shutil.copy(DEMO / "favicon.svg", output)
    for page in (output / "documentation").rglob("index.html"):
        page.write_text(page.read_text().replace("/favicon.ico", "/favicon.svg"))


# MARK: Pages


def header(base, source):
    """Returns the header of a page for a site at the path `base`."""
    text = with_links((SITE / "header.html").read_text(), source)
    return text.replace("{{ BASE }}", base)


def landing(readme, source):
    """Returns the landing page, with relative links only."""
    parts = {
        "HEADER": header(".", source),
        "DESCRIPTION": html.escape(plain(summary(readme))),
        "SUMMARY": f"<p>{inline(summary(readme))}</p>",
        "PROGRAM": listing(block(readme, "swift", "@main"), "program"),
        "PAGE": listing(block(readme, "html", "data-click"), "page"),
        "COMMANDS": listing(commands(readme, source), "commands"),
        "REASONS": cards(reasons(readme)),
        "VERSION": html.escape((ROOT / "VERSION").read_text().strip()),
    }
    page = with_links((SITE / "index.html").read_text(), source)
    page = re.sub(r"{{ ARTICLES (.*) }}", lambda names: articles(names[1].split()), page)
    return re.sub(r"{{ (\w+) }}", lambda name: parts[name[1]], page)


def with_links(page, source):
    """Returns a page with the links of `data-if` only where their targets exist."""
    shown = {"demo": has_demo(), "source": bool(source)}
    page = re.sub(
        r'\n *<a data-if="(\w+)"(.*)</a>',
        lambda link: link[0].replace(f' data-if="{link[1]}"', "") if shown[link[1]] else "",
        page,
    )
    return page.replace("{{ SOURCE }}", html.escape(source))


def has_demo():
    return (DEMO / "demo.wasm").exists()


# MARK: Quotations


def summary(readme):
    """Returns the first sentence of README.md."""
    first = re.match(r"# [^\n]*\n\n(.+?\.)\s", readme, re.DOTALL)
    if not first:
        raise Problem("README.md has no sentence below its title")
    return sentence(first[1])


def block(readme, language, word):
    """Returns the first block of code in a language that has a word."""
    for code in re.findall(rf"^```{language}\n(.*?)^```", readme, re.MULTILINE | re.DOTALL):
        if word in code:
            return code
    raise Problem(f"README.md has no block of {language} with {word}")


def commands(readme, source):
    """Returns the commands of README.md, with the address of the repository if it is known."""
    code = block(readme, "sh", "build.sh new")
    return re.sub(r"git clone URL (.*\S) +#.*", rf"git clone {source} \1", code) if source else code


def reasons(readme):
    """Returns the reasons of README.md for using it: pairs of a title and a text."""
    beginning = readme.split("\n## ")[0]
    listed = re.findall(r"^- \*\*([^*]+)\*\*: (.*(?:\n  .*)*)", beginning, re.MULTILINE)
    if not listed:
        raise Problem("README.md has no list of reasons (- **Title**: text) above its first heading")
    return [(html.escape(title), inline(sentence(text))) for title, text in listed]


def articles(names):
    return cards([article(name) for name in names], "cards wide")


def article(name):
    """Returns the title of an article, as a link, and its sentence."""
    path = CATALOG / f"{name}.md"
    if not path.exists():
        raise Problem(f"docs/site/index.html names the article {name}, which does not exist")
    title, _, rest = path.read_text().partition("\n\n")
    link = f'<a href="{address(name)}">{inline(title.lstrip("# "))}</a>'
    return link, inline(sentence(rest.split("\n\n")[0]))


def sentence(text):
    """Returns a text in one line with a capital letter."""
    line = " ".join(text.split())
    return line[:1].upper() + line[1:]


# MARK: HTML


def cards(items, style="cards"):
    """Returns a list of titles and texts, which are HTML."""
    return "\n".join([
        f'<ul class="{style}">',
        *(f"<li><h3>{title}</h3><p>{text}</p></li>" for title, text in items),
        "</ul>",
    ])


def listing(code, label):
    """Returns code with colours. The keyboard can scroll it; the element `label` is its label."""
    return (
        f'<pre tabindex="0" role="group" aria-labelledby="{label}"><code>{coloured(code)}</code></pre>'
    )


def coloured(code):
    parts, end = [], 0
    for token in TOKEN.finditer(code):
        parts += [html.escape(code[end : token.start()], quote=False)]
        text = html.escape(token[0], quote=False)
        parts += [f'<span class="{token.lastgroup}">{text}</span>']
        end = token.end()
    return "".join([*parts, html.escape(code[end:], quote=False)])


def inline(markdown):
    """Returns the HTML of a paragraph in Markdown with code, links and bold text."""
    parts, end = [], 0
    for match in INLINE.finditer(markdown):
        code, label, link, bold = match.groups()
        parts.append(html.escape(markdown[end : match.start()]))
        if code:
            parts.append(f"<code>{html.escape(code)}</code>")
        elif bold:
            parts.append(f"<strong>{html.escape(bold)}</strong>")
        else:
            parts.append(f'<a href="{html.escape(target(link))}">{inline(label)}</a>')
        end = match.end()
    return "".join([*parts, html.escape(markdown[end:])])


def plain(markdown):
    return INLINE.sub(lambda match: next(filter(None, match.groups())), markdown)


def target(link):
    """Returns the address for a link of README.md."""
    if re.match(r"https?:", link):
        return link
    path = re.fullmatch(r"docs/(?:Documentation\.docc/)?(\w+)\.md", link)
    if not path:
        raise Problem(f"README.md links to {link}, which is not a page of the site")
    return address(path[1])


def address(name):
    """Returns the address of an article, relative to the landing page."""
    return f"documentation/wasm-sharing/{'' if name == 'wasm-sharing' else name.lower() + '/'}"


# MARK: Links


def broken_links(output):
    """Returns the addresses in the landing page that are not files of the site."""
    page = (output / "index.html").read_text()
    broken = []
    for link in re.findall(r'(?:href|src)="([^"]*)"', page):
        path = link.partition("#")[0]
        file = output / path / "index.html" if path.endswith("/") else output / path
        if not re.match(r"https?:", link) and not file.is_file():
            broken.append(link)
    return broken


if __name__ == "__main__":
    main(sys.argv[1:])
