#!/usr/bin/env python3
"""Whether the reports of one run are valid and agree: check_reports.py SCHEMA JSON JUNIT SARIF [JSONL]

SCHEMA is the JSON Schema of SARIF 2.1.0. JUnit XML is validated by junit.xsd, with xmllint.
"""
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import jsonschema

COUNTS = ("complete", "redundant", "stuck", "cut")
wrong = []


def check(holds, what):
    if not holds:
        wrong.append(what)


def in_xml(text):
    """XML has no control characters but these, not even as references."""
    return text and "".join(c if c >= " " or c in "\t\n" else "\ufffd" for c in text)


def identity(result):
    """What all reports must say alike of one search."""
    bounds = tuple(result["bounds"][name] for name in ("producers", "items", "batch", "ticks"))
    counts = tuple(result["executions"][name] for name in COUNTS)
    return (in_xml(result["name"]), bounds, result["verdict"], result["expected"], result["search"], result["memory_model"],
            counts, result["steps_max"], in_xml(result["replay"]))


def identity_in_junit(case):
    said = {entry.get("name"): entry.get("value") for entry in case.find("properties")}
    bounds = tuple(int(said[name]) for name in ("producers", "items", "batch", "ticks"))
    return (said["scenario"], bounds, said["verdict"], said["expected"], said["search"], said["memory_model"],
            tuple(int(said[name]) for name in COUNTS), int(said["steps_max"]), said.get("replay"))


def check_junit(path, results):
    xsd = pathlib.Path(__file__).resolve().parent / "junit.xsd"
    lint = subprocess.run(["xmllint", "--noout", "--schema", xsd, path], capture_output=True, text=True)
    check(lint.returncode == 0, f"JUnit is not valid: {lint.stderr[:500]}")
    root = ElementTree.parse(path).getroot()
    cases = list(root.iter("testcase"))
    check(sorted(map(str, map(identity_in_junit, cases))) == sorted(map(str, map(identity, results))),
          "JUnit and JSON do not tell the same")
    by_identity = {identity(result): result for result in results}
    for case in cases:
        result = by_identity.get(identity_in_junit(case))
        if result is None:
            continue
        kind = "error" if result["verdict"] == "inconclusive" else "failure"
        found = [child.tag for child in case if child.tag != "properties"]
        check(found == ([] if result["as_expected"] else [kind]), f"{case.get('name')}: {found} in JUnit")
        if result["replay"] and not result["as_expected"]:
            body = case.find(kind).text
            check(" step " in body and result["replay"].split(":")[-1] in body, f"{case.get('name')}: a failure without its steps")
    for suite in [root, *root.iter("testsuite")]:
        inside = list(suite.iter("testcase"))
        for attribute, tag in (("failures", "failure"), ("errors", "error")):
            counted = sum(case.find(tag) is not None for case in inside)
            check(int(suite.get(attribute)) == counted, f"{suite.get('name')}: {attribute} are not {counted}")
        check(int(suite.get("tests")) == len(inside), f"{suite.get('name')}: tests are not {len(inside)}")


def check_sarif(schema, path, results):
    document = json.loads(pathlib.Path(path).read_text())
    for error in jsonschema.validators.validator_for(schema)(schema).iter_errors(document):
        check(False, f"SARIF is not valid at {list(error.absolute_path)}: {error.message[:200]}")
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    unexpected = [result for result in results if not result["as_expected"]]
    check([identity(result["properties"]) for result in run["results"]] == [identity(result) for result in unexpected],
          "SARIF and JSON do not tell the same")
    check(run["properties"] == {"searches": len(results), "unexpected": len(unexpected)}, "SARIF has other counts")
    inconclusive = any(result["verdict"] == "inconclusive" for result in unexpected)
    check(run["invocations"][0]["executionSuccessful"] != inconclusive, "SARIF: executionSuccessful is wrong")
    fingerprints = set()
    for result in run["results"]:
        verdict = result["properties"]["verdict"]
        check(rules[result["ruleIndex"]]["id"] == result["ruleId"] == verdict, f"SARIF: {verdict} has another rule")
        check(result["level"] == ("warning" if verdict == "inconclusive" else "error"), f"SARIF: level of {verdict}")
        (fingerprint,) = result["partialFingerprints"].values()
        check(fingerprint not in fingerprints, f"SARIF: two results have the fingerprint {fingerprint}")
        fingerprints.add(fingerprint)
        check(("codeFlows" in result) == bool(result["properties"]["replay"]), f"SARIF: steps of {verdict}")
        check_flows(result)
        for location in result["locations"]:
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            check(not uri.startswith(("/", "file:", "..")), f"SARIF: {uri} is not relative to the tree")


def check_flows(result):
    for flow in result.get("codeFlows", []):
        names = [thread["id"] for thread in flow["threadFlows"]]
        check(len(names) == len(set(names)), f"SARIF: a thread has two flows: {names}")
        orders = [[step["executionOrder"] for step in thread["locations"]] for thread in flow["threadFlows"]]
        check(all(order == sorted(order) for order in orders), "SARIF: steps of a thread out of order")
        together = sorted(sum(orders, []))
        check(together == list(range(1, len(together) + 1)), f"SARIF: the steps are {together}")


def check_lines(path, results):
    lines = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    told = [line for line in lines if line["event"] == "result"]
    check(list(map(identity, told)) == list(map(identity, results)), "JSON Lines and JSON do not tell the same")
    check(lines[0]["event"] == "begin" and lines[0]["searches"] == len(results), "JSON Lines: begin is wrong")
    unexpected = sum(not result["as_expected"] for result in results)
    check(lines[-1]["event"] == "end" and lines[-1]["unexpected"] == unexpected, "JSON Lines: end is wrong")


def main(schema_path, json_path, junit_path, sarif_path, lines_path=None):
    results = json.loads(pathlib.Path(json_path).read_text())["results"]
    check(results, "no result")
    check_junit(junit_path, results)
    check_sarif(json.loads(pathlib.Path(schema_path).read_text()), sarif_path, results)
    if lines_path:
        check_lines(lines_path, results)
    for what in wrong[:20]:
        print(f"check_reports: {what}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
