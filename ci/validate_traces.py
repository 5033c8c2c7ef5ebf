#!/usr/bin/env python3
"""Validates every trace document in a folder by models/trace/trace.schema.json."""
import json
import pathlib
import sys

import jsonschema

tree = pathlib.Path(__file__).resolve().parent.parent
schema = json.loads((tree / "models/trace/trace.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
documents = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
wrong = 0
for path in documents:
    document = json.loads(path.read_text())
    for error in validator.iter_errors(document):
        wrong += 1
        print(f"{path} ({document.get('scenario')}): {error.json_path}: {error.message[:200]}")
if not documents:
    sys.exit(f"no document in {sys.argv[1]}")
sys.exit(1 if wrong else 0)
