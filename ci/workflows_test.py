#!/usr/bin/env python3
"""The workflow files are YAML, each job has steps and needs only jobs that are there, and every script of ci/ that they,
ci/README.md's recipes or a matrix of gates name exists and can be run."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    try:
        import yaml
    except ImportError:
        sys.exit("workflows: python3-yaml is missing: apt-get install python3-yaml (ci/setup.sh does)")
    wrong = []
    known = re.search(r"^gates='(.*)'$", (ROOT / "ci/all.sh").read_text(), re.MULTILINE).group(1).split()
    files = sorted((ROOT / ".github/workflows").glob("*.yml"))
    if not files:
        wrong.append("no workflow in .github/workflows")
    for path in files:
        try:
            jobs = yaml.safe_load(path.read_text())["jobs"]
        except (yaml.YAMLError, KeyError, TypeError) as error:
            wrong.append(f"{path.name}: no workflow: {' '.join(str(error).split())}")
            continue
        for name, job in jobs.items():
            if not job.get("steps"):
                wrong.append(f"{path.name}: job '{name}' has no steps")
            needs = job.get("needs", [])
            wrong += [f"{path.name}: job '{name}' needs '{need}', which is not there"
                      for need in ([needs] if isinstance(needs, str) else needs) if need not in jobs]
            listed = job.get("strategy", {}).get("matrix", {}).get("gate")
            if listed is not None and listed != known:
                wrong.append(f"{path.name}: job '{name}' has other gates than ci/all.sh: {set(listed) ^ set(known)}")
    for gate in known:
        script = ROOT / "ci" / ("workflows_test.py" if gate == "workflows" else f"{gate}.sh")
        if not (script.is_file() and script.stat().st_mode & 0o100):
            wrong.append(f"ci/all.sh: the gate '{gate}' has no script {script.name}")
    recipes = (ROOT / "ci/README.md").read_text()
    for whose, pattern in {"GitLab": r"- GATE: \[(.*?)\]", "Jenkins": r"def gates = \[(.*?)\]"}.items():
        found = re.search(pattern, recipes, re.DOTALL)
        if not found or re.findall(r"\w+", found.group(1)) != known:
            wrong.append(f"ci/README.md: the recipe for {whose} has other gates than ci/all.sh")
    for path in files + [ROOT / "ci/README.md"]:
        for script in re.findall(r"\bci/[a-z_0-9]+\.(?:sh|py)\b", path.read_text()):
            file = ROOT / script
            if not (file.is_file() and file.stat().st_mode & 0o100):
                wrong.append(f"{path.name}: {script} is not there, or not executable")
    if wrong:
        sys.exit("\n".join("workflows: " + line for line in wrong))
    print(f"workflows: {len(files)} files, {len(known)} gates")


main()
