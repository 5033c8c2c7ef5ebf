#!/usr/bin/env python3
"""A header as Doxygen reads it: comments are plain `//`, and what a header says in its first lines is what it says of the
class or concept it is named for, `// OutputSink: ...`, so it stands before that too."""
import re
import sys


def documented(lines):
    head = 0
    while head < len(lines) and lines[head].startswith("//"):
        head += 1
    named = re.match(r"// (\w+)\b", lines[0]) if head else None
    if not named:
        return lines
    declared = re.compile(rf"^(template <.*> *)?(class|struct|concept) (\[\[\w+\]\] )?({re.escape(named.group(1))})\b(?!.*;$)")
    for i in range(head, len(lines)):
        if not declared.match(lines[i]):
            continue
        while re.match(r"^(template\b|//|  *requires\b|requires\b)", lines[i - 1]):
            i -= 1
        return lines[:i] + lines[:head] + ["//"] + lines[i:]
    return lines


with open(sys.argv[1], encoding="utf-8") as file:
    for line in documented(file.read().splitlines()):
        print(re.sub(r"^( *)//( |$)", r"\1///\2", line))
