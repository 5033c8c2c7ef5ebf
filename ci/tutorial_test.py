#!/usr/bin/env python3
"""TUTORIAL.md, done as it stands: every `sh` block in order, by one shell, in a folder that has this project in `wakeproof`.

A block `sh exits N` must end with that status, any other with 0; the lines of the `text` block that follows must be in
what it prints, each within one line, with any blanks between the words.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def blocks(text):
    """(what the fence says, content) of each."""
    return re.findall(r"^```([^\n]*)\n(.*?)^```$", text, re.M | re.S)


def stop(message):
    sys.exit(f"tutorial: {message}")


def find(line, output):
    pattern = r"\s+".join(re.escape(word) for word in line.split())
    return re.search(pattern, output)


def run(shell, commands):
    """Everything printed and the last exit status."""
    shell.stdin.write(f"{commands}\nprintf '\\n--- done %s\\n' $?\n")
    shell.stdin.flush()
    printed = []
    for line in shell.stdout:
        done = re.match(r"--- done (\d+)$", line)
        if done:
            return "".join(printed), int(done.group(1))
        printed.append(line)
    stop(f"the shell ended in:\n{commands}\n{''.join(printed)}")


def main():
    steps = blocks((HERE / "TUTORIAL.md").read_text())
    if sum(1 for fence, _ in steps if fence.startswith("sh")) < 6:
        stop("TUTORIAL.md has lost its commands")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "wakeproof").symlink_to(HERE.parent)
        shell = subprocess.Popen(["bash"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True,
                                 env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder})
        output = ""
        for fence, content in steps:
            if fence.startswith("sh"):
                wanted = re.search(r"exits (\d+)", fence)
                output, status = run(shell, content)
                if status != (int(wanted.group(1)) if wanted else 0):
                    stop(f"exit status {status} of:\n{content}\n{output}")
            elif fence == "text":
                for line in content.splitlines():
                    if not find(line, output):
                        stop(f"'{line}' is not in what was printed:\n{output}")
        folder = pathlib.Path(folder) / "journal"
        if "<html" not in (folder / "lost.html").read_text():
            stop("lost.html is no page")
        check_workflow(folder / ".github/workflows/race_gate.yml")
    print("tutorial: done as it stands, red and then green")


def check_workflow(path):
    import yaml  # python3-yaml

    workflow = yaml.safe_load(path.read_text())
    steps = workflow["jobs"]["race_gate"]["steps"]
    if not any("journal_gate run" in step.get("run", "") for step in steps):
        stop("the workflow does not run the gate")


main()
