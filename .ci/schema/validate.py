"""Shows a corpus to an independent JSON Schema validator and compares its verdicts with the schema's own.

The corpus has a line of JSON per schema: its name, its export, and documents with the schema's verdict on each.
"""
import json
import re
import sys
from decimal import Decimal

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

# Numbers are read exactly: a float would round 1.0000000000000001 to an integer.
def read(text):
    return json.loads(text, parse_float=Decimal)


def is_integer(_, value):
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or isinstance(value, Decimal) and value == value.to_integral_value()


# Patterns are those of ECMA-262, where `$` does not match before a line end as Python's does.
def pattern(_, pattern, value, __):
    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), value):
        yield ValidationError("does not match")


checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", is_integer)
Validator = validators.extend(Draft202012Validator, {"pattern": pattern}, type_checker=checker)

kinds, documents, differences = 0, 0, 0
for line in open(sys.argv[1], encoding="utf-8"):
    kind = read(line)
    Draft202012Validator.check_schema(json.loads(json.dumps(kind["schema"], default=float)))
    validator = Validator(kind["schema"])
    kinds += 1
    for document in kind["documents"]:
        documents += 1
        accepted = validator.is_valid(read(document["text"]))
        if accepted != document["accepted"]:
            differences += 1
            if differences <= 20:
                verdict = "accepts" if document["accepted"] else "refuses"
                print(f"{kind['name']}: the schema {verdict} {document['text']}, its export does not")
print(f"{documents} documents, {kinds} schemas: {differences} differences")
sys.exit(1 if differences or not documents else 0)
