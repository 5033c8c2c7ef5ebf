#!/usr/bin/env python3
"""The table of requirements in scenarios/README.md, made from the catalogue.

scenarios/requirements.json says of each requirement of the three systems which scenarios prove it and which show
what goes wrong without it; this program asks the command what these expect, and the sources of the tests which ones
carry the requirement's tag. It fails where a cell would be empty, a name is no scenario, a scenario among the proved
ones is expected to fail or the other way round, or a ctest is named that is not registered.

    requirements.py --command build/wakeproof --write    puts the table into scenarios/README.md
    requirements.py --command build/wakeproof            fails where the table there is another one
"""

import argparse
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / "scenarios/README.md"
BEGIN = "<!-- requirements: made by ci/requirements.py -->\n"
END = "<!-- end of requirements -->\n"
PARTS = {
    "A": "A. OutputSink: many threads, one consumer",
    "B": "B. The event loop and its self-pipe",
    "C": "C. The coroutine server",
}


def fail(message):
    sys.exit("requirements: " + message)


def size(bounds):
    ticks = f"+{bounds['ticks']}t" if bounds["ticks"] else ""
    return f"{bounds['producers']}x{bounds['items']}{ticks}"


def sizes(scenario):
    return scenario["sizes"] + scenario["larger_sizes"]


def tests_by_tag():
    """Each tag of a test on real threads, with the program it is in and how many tests carry it."""
    tags = {}
    for path in sorted((ROOT / "sink").glob("*_test.cpp")):
        program = path.stem if path.stem == "coroutine_server_test" else "sink_test"
        for found in re.finditer(r'^\s*(?:TEMPLATE_)?(?:TEST_CASE|\w+)\(\s*"(?:[^"\\]|\\.)*",\s*"((?:\[[^\]]*\])+)"',
                                 path.read_text(), re.MULTILINE):
            for tag in re.findall(r"\[([^\]]*)\]", found.group(1)):
                programs = tags.setdefault(tag, {})
                programs[program] = programs.get(program, 0) + 1
    return tags


def ctests():
    """The names that are registered, in any CMakeLists.txt."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "*CMakeLists.txt"], check=True, capture_output=True, text=True)
    texts = [(ROOT / name).read_text() for name in listed.stdout.split()]
    return {name for text in texts for name in re.findall(r"add_test\(NAME ([\w.]+)", text)}


def matching(catalogue, globs, who):
    names = []
    for glob in globs:
        found = [name for name in catalogue if fnmatch.fnmatchcase(name, glob)]
        if not found:
            fail(f"{who}: no scenario is called '{glob}'")
        names += [name for name in found if name not in names]
    return names


def row(requirement, catalogue, tags, registered):
    who = requirement["id"]
    tests = [f'`{program} "[{who}]"` ({count})' for program, count in tags.get(who, {}).items()]
    if "ctest" in requirement:
        if requirement["ctest"] not in registered:
            fail(f"{who}: no ctest is called '{requirement['ctest']}'")
        tests.append(f"`{requirement['ctest']}`")
    if not tests:
        fail(f"{who}: no test on real threads carries the tag [{who}]")

    def expected(name):
        return catalogue[name]["expected"]

    # A glob is for all of a subject; a name says which one is meant, and must be of that kind.
    def chosen(column, wanted):
        names = matching(catalogue, requirement[column], who)
        wrong = [name for name in names if name in requirement[column] and not wanted(name)]
        if wrong:
            fail(f"{who}: '{wrong[0]}' expects {expected(wrong[0])}, which is nothing for '{column}'")
        names = [name for name in names if wanted(name)]
        if not names:
            fail(f"{who}: nothing among '{column}'")
        return names

    proved = [
        f"`{name}` {', '.join(size(bounds) for bounds in sizes(catalogue[name]))}"
        for name in chosen("proved", lambda name: expected(name) == "proved")
    ]
    mutants = [f"`{name}`: {expected(name)}" for name in chosen("mutants", lambda name: expected(name) != "proved")]
    cells = [f"**{who}** {requirement['text']}", "<br>".join(tests), "<br>".join(proved), "<br>".join(mutants)]
    return "| " + " | ".join(cells) + " |\n"


def table(catalogue):
    tags = tests_by_tag()
    registered = ctests()
    text = ""
    requirements = json.loads((ROOT / "scenarios/requirements.json").read_text())
    for part, title in PARTS.items():
        text += f"\n### {title}\n\n"
        text += "| requirement | on real threads | proved, at which sizes | mutants, and what the search finds |\n"
        text += "|---|---|---|---|\n"
        for requirement in requirements:
            if requirement["part"] == part:
                text += row(requirement, catalogue, tags, registered)
    return text + "\n"


def main():
    parser = argparse.ArgumentParser(description="The table of requirements in scenarios/README.md.")
    parser.add_argument("--command", required=True, help="the wakeproof command")
    parser.add_argument("--write", action="store_true", help="put the table there")
    options = parser.parse_args()
    listed = subprocess.run([options.command, "list", "--json"], check=True, capture_output=True, text=True)
    catalogue = {scenario["name"]: scenario for scenario in json.loads(listed.stdout)["scenarios"]}
    text = README.read_text()
    if BEGIN not in text or END not in text:
        fail(f"{README.name} has no place for the table: the lines '{BEGIN.strip()}' and '{END.strip()}'")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    wanted = before + BEGIN + table(catalogue) + END + after
    if options.write:
        README.write_text(wanted)
    elif wanted != text:
        fail("scenarios/README.md does not say what the catalogue does; run ci/requirements.py --command "
             "build/wakeproof --write")


if __name__ == "__main__":
    main()
