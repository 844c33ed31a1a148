"""Hooks of mkdocs for the documentation's site. Links to files outside of docs/ become names of these files, and the build
fails where a page would load anything from another host, or where the list of pages does not have one."""
import html.parser
import pathlib
import re

from mkdocs.exceptions import PluginError

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
DOCS = REPOSITORY / "docs"
# Scripts of the theme would load these where a page has a diagram, a browser is very old, or a repository is named.
NEVER_LOADED = re.compile(r"https://(unpkg\.com|api\.github\.com)/")
SCRIPT_LOADS = re.compile(r"""["'`]((?:https?:)?//[a-z0-9-]+\.[^"'`\s]*)""", re.IGNORECASE)
# Names of XML, which are addresses in their form only.
NAMES = ("http://www.w3.org/",)
# Relations of <link> that a browser follows by itself.
LOADED_LINKS = {"stylesheet", "icon", "shortcut", "apple-touch-icon", "preload", "prefetch", "preconnect", "dns-prefetch",
                "modulepreload", "manifest"}
OTHER_HOST = re.compile(r"(?:https?:)?//", re.IGNORECASE)
STYLE_LOADS = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])\s*((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)


def on_config(config, **_):
    """The decisions are a part of the list, in their order."""
    config.nav.append({"Decisions": [f"decisions/{path.name}" for path in sorted((DOCS / "decisions").glob("*.md"))]})
    return config


def on_page_markdown(markdown, page, **_):
    """A link to a file of the repository that is no page becomes the file's name."""
    folder = (DOCS / page.file.src_path).parent

    def replaced(link):
        target = (folder / link[2].split("#")[0]).resolve()
        if target.is_relative_to(DOCS) or not target.exists():
            return link[0]
        return f"{link[1]} (`{target.relative_to(REPOSITORY)}`)"

    return re.sub(r"(?<!!)\[([^\]]+)\]\((\.\./[^)\s]+)\)", replaced, markdown)


class Loads(html.parser.HTMLParser):
    """Collects the addresses of other hosts that a page loads when it is shown."""

    def __init__(self):
        super().__init__()
        self.addresses = []
        self.element = ""

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        loaded = [values[name] for name in ["src", "poster", "data", "background"] if name in values]
        loaded += [part.split()[0] for part in values.get("srcset", "").split(",") if part.split()]
        if tag == "link" and LOADED_LINKS & set(values.get("rel", "").lower().split()):
            loaded.append(values.get("href", ""))
        if tag in ["use", "image"]:
            loaded += [values.get("href", ""), values.get("xlink:href", "")]
        self.addresses += [address for address in loaded if OTHER_HOST.match(address.strip())]
        self.addresses += STYLE_LOADS.findall(values.get("style", ""))
        self.element = tag

    def handle_endtag(self, tag):
        self.element = ""

    def handle_data(self, data):
        if self.element == "style":
            self.addresses += STYLE_LOADS.findall(data)
        elif self.element == "script":
            self.addresses += script_loads(data)


def script_loads(text):
    """The addresses that a script names as texts; it may load them."""
    return [address for address in SCRIPT_LOADS.findall(text) if not address.startswith(NAMES)]


def loads_of(path):
    """The addresses of other hosts that a built file loads."""
    text = path.read_text("utf-8", errors="replace")
    if path.suffix == ".css":
        return STYLE_LOADS.findall(text)
    if path.suffix == ".js":
        return script_loads(text)
    page = Loads()
    page.feed(text)
    return page.addresses


def on_post_build(config, **_):
    site = pathlib.Path(config.site_dir)
    for script in site.rglob("*.js"):
        script.write_text(NEVER_LOADED.sub("/", script.read_text("utf-8")), "utf-8")
    built = [path for path in sorted(site.rglob("*")) if path.suffix in [".html", ".css", ".svg", ".js"]]
    faults = [f"{path.relative_to(site)}: loads {address}" for path in built for address in loads_of(path)]
    if faults:
        raise PluginError("the site loads from other hosts:\n  " + "\n  ".join(faults))
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    print(f"site: {len(built)} pages, style sheets and scripts load nothing from other hosts; {size / 1e6:.1f} MB in {site}")
