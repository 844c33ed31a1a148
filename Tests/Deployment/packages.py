"""Packages for tests: the newest one in dist/, and the same with a higher version, for upgrades."""

from machines import *


def newest():
    """The package that `make deb` made last."""
    found = sorted((ROOT / "dist").glob("spool_*.deb"), key=lambda each: each.stat().st_mtime)
    if not found:
        raise SystemExit("dist/ has no package; run make deb")
    return found[-1]


def with_version(network, version):
    """The newest package under another version, without compression."""
    tree, target = network.directory / f"package-{version}", network.directory / f"spool_{version}.deb"
    run(["dpkg-deb", "-R", str(newest()), str(tree)])
    control = tree / "DEBIAN/control"
    control.write_text("".join(
        f"Version: {version}\n" if line.startswith("Version:") else line for line in control.read_text().splitlines(True)))
    run(["dpkg-deb", "--root-owner-group", "-Znone", "-b", str(tree), str(target)])
    return target
