#!/usr/bin/env python3
"""What a reader can copy from the pages runs: every `wakeproof ...` in a line of text, and the block on many machines.

Searches get a budget here, and the many machines a smaller search: what is looked at is that the call is right and ends as
it should, not how long a reader waits. Usage: readme_test.py BUILD_FOLDER
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv[1]).resolve()
PAGES = ["README.md", "sink/README.md", "models/README.md", "models/litmus/README.md", "models/search/README.md",
         "scenarios/README.md", "ci/README.md", "CONTRIBUTING.md"]
# What a page leaves to its reader, and somebody's own scenario.
STANDS_FOR = {"SUBJECT": "slot_sink", "'subject/*'": "'slot_sink/*'", "audit subject": "audit slot_sink",
              "origin/main": "HEAD"}
SMALL = "-P 1 -I 2 -n 16"

wrong = []
ran = 0


def run(command, allowed=(0,), **environment):
    global ran
    ran += 1
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False, env={**os.environ, **environment})
    if done.returncode not in allowed:
        wrong.append(f"exit status {done.returncode} of: {command}\n{done.stdout[-400:]}{done.stderr[-400:]}")
    return done.stdout


def inline(page):
    for command in re.findall(r"`((?:build/)?wakeproof [a-z-][^`]*)`", (ROOT / page).read_text()):
        for placeholder, real in STANDS_FOR.items():
            command = command.replace(placeholder, real)
        allowed = (0,)
        if re.search(r"wakeproof (run|audit)\b", command):
            command += " --budget 3s --checkpoint later" if " run" in command and "--resume" not in command else ""
            command += " --budget 3s" if " audit" in command else ""
            allowed = (0, 12)
        run(command, allowed)


def many_machines():
    block = re.search(r"^```sh\n(wakeproof split .*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S).group(1)
    size = re.search(r"-P \d+ -I \d+ -n \d+", block).group(0)
    block = block.replace(size, SMALL).replace("\\\n", "").replace("|\n", "| ")
    lines = [line for line in block.splitlines() if line and not line.startswith("#")]

    def line_with(word):
        found = [line for line in lines if word in line]
        if len(found) != 1:
            sys.exit(f"readme: {len(found)} lines with '{word}' in the block on many machines")
        return found[0]

    run("\n".join(lines[:2]))
    units = len(pathlib.Path("units").read_text().splitlines())
    pathlib.Path("hosts").write_text(":\n")
    whole = None
    ways = [(line_with("parallel "), [{}]),
            (line_with("SLURM"), [{"SLURM_ARRAY_TASK_ID": str(i + 1)} for i in range(units)]),
            (line_with("JOB_COMPLETION"), [{"JOB_COMPLETION_INDEX": str(i)} for i in range(units)]),
            (line_with('"$JOB"'), [{"JOB": str(i)} for i in range(16)])]
    for command, environments in ways:
        for environment in environments:
            run(command, **environment)
        merged = re.sub(r"\S+ s\b|\d+\.\d+", "", run(line_with("wakeproof merge")))
        if "proved" not in merged or (whole or merged) != merged:
            wrong.append(f"{command}: its results give another whole:\n{merged}\n{whole}")
        whole = merged
        for result in pathlib.Path("results").iterdir():
            result.unlink()


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path("build").symlink_to(BUILD)
    os.environ["WAKEPROOF_CACHE"] = ""
    os.environ["PATH"] = f"{BUILD}:{os.environ['PATH']}"
    # Before the others: one of them is about what is left of a search, another about results.
    run("wakeproof run calibration/tagged_sink -P 3 -I 1 --max-executions 10", (12,))
    run("mkdir -p results && wakeproof split output_sink/correct -n 4 | wakeproof unit - > results/all.json")
    for page in PAGES:
        inline(page)
    pathlib.Path("results/all.json").unlink()
    many_machines()
if wrong:
    sys.exit("\n".join("readme: " + line for line in wrong))
print(f"readme: {ran} commands run as they stand in {len(PAGES)} pages")
