#!/usr/bin/env python3
"""check_book.py WAKEPROOF BOOK: a page for every scenario, a valid trace for every mutant, and no link leads nowhere."""
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The ids and links of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                if value in self.ids:
                    complain(f"the id {value} stands there twice")
                self.ids.add(value)
            if name in ("href", "src"):
                self.links.append(value)


wrong = []


def complain(what):
    wrong.append(what)


def check_links(pages, book):
    count = 0
    for name, page in pages.items():
        for link in page.links:
            if link == "data:,":
                continue
            count += 1
            parts = urllib.parse.urlsplit(link)
            target = parts.path or name
            if parts.scheme or parts.netloc:
                complain(f"{name} leads out of the book: {link}")
            elif not (book / target).is_file():
                complain(f"{name}: {link} leads nowhere")
            elif parts.fragment and parts.fragment not in pages[target].ids:
                complain(f"{name}: {link} leads to no place on that page")
    return count


def check_scenarios(scenarios, pages, book):
    for scenario in scenarios:
        name = scenario["name"].replace("/", ".")
        page = pages.get(name + ".html")
        if page is None:
            complain(f"{scenario['name']} has no page")
            continue
        if f"{name}.html" not in pages["index.html"].links:
            complain(f"the index does not name {scenario['name']}")
        if scenario["expected"] == "proved":
            if not re.search(r"proved</td><td>[1-9]", page.text):
                complain(f"{name} shows no figures of its proof")
            continue
        trace = json.loads((book / (name + ".json")).read_text())
        if trace["verdict"] != scenario["expected"] or trace["scenario"] != scenario["name"]:
            complain(f"{name}.json is of {trace['scenario']}: {trace['verdict']}")
        if len(page.ids & {f"step-{step['number']}" for step in trace["steps"]}) != len(trace["steps"]):
            complain(f"{name} lacks a row for a step")
        if not re.search(r"proved, [1-9]\d* complete execution", page.text):
            complain(f"{name} does not say what is proved of the correct subject")
        for mutation in scenario["mutations"]:
            if not re.search(r"<td>(sink|scenarios)/[\w/.]+:\d+</td>", page.text) or mutation not in page.text:
                complain(f"{name} does not show the lines of '{mutation}'")


def main():
    wakeproof, book = sys.argv[1], pathlib.Path(sys.argv[2])
    listed = json.loads(subprocess.run([wakeproof, "list", "--json"], check=True, capture_output=True).stdout)
    scenarios = listed if isinstance(listed, list) else listed["scenarios"]
    pages = {path.name: Page(path) for path in sorted(book.glob("*.html"))}
    check_scenarios(scenarios, pages, book)
    links = check_links(pages, book)
    figure = pages["index.html"]
    if "figure" not in figure.ids or not all(f">{time}<" in figure.text for time in ("t0", "t1", "t2", "t3", "t4", "t5", "t4'")):
        complain("the index does not begin with the figure")
    for one in wrong:
        print("FAILED:", one)
    if wrong:
        sys.exit(1)
    print(f"book: {len(pages)} pages, {links} links")


main()
