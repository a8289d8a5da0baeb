"""Runs the cases of ../../cases against a backend in Python. Standard library only.

    python3 run_cases.py [module:Class]      # default: memory_backend:MemoryBackend

Prints one JSON object per case: {"id", "status", "reason"?}. Exit code 1 if a case failed.
"""

import base64
import importlib
import json
import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
GUARD = json.loads((PACKAGE / "spec" / "guard.json").read_text("utf-8"))
UNDEFINED = object()
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")

# What the backend claims, in the words of a profile.
PROFILE = {
    "writeMode": "create", "collisions": "refused", "directories": "implicit", "content": "bytes", "codes": True,
    "versions": True, "signals": False, "transfer": True, "delete": True, "move": True, "copy": True, "multiEdit": True,
    "execute": False, "regex": False, "watch": False, "names": {"caseSensitive": True, "unicode": "preserve"},
    "limits": {"pathBytes": 4096}, "symlinks": "none", "times": "kept", "consistency": "strong", "atomicity": "clients",
}


class Failed(Exception):
    pass


def tagged(value):
    if isinstance(value, dict) and len(value) == 1:
        (key, argument), = value.items()
        if key.startswith("$"):
            return key, argument
    return None, None


def decode(value, captured):
    key, argument = tagged(value)
    if key == "$bytes":
        return bytes(argument)
    if key == "$base64":
        return base64.b64decode(argument)
    if key == "$repeat":
        return argument[0] * argument[1]
    if key == "$lines":
        return "".join(f"line {n}\n" for n in range(argument[0], argument[1] + 1))
    if key == "$concat":
        return "".join(str(decode(part, captured)) for part in argument)
    if key == "$utf16":
        return b"".join(unit.to_bytes(2, "big") for unit in argument).decode("utf-16-be", "surrogatepass")
    if key == "$nan":
        return float("nan")
    if key == "$undefined":
        return UNDEFINED
    if key == "$ref":
        return captured[argument]
    if isinstance(value, list):
        return [decode(item, captured) for item in value]
    if isinstance(value, dict):
        return {name: decode(field, captured) for name, field in value.items()}
    return value


def unmet(need):
    wanted, _, value = need.lstrip("!").partition("=")
    found = PROFILE
    for name in wanted.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    shown = str(found).lower() if isinstance(found, bool) else str(found)
    met = shown == value if value else found not in (None, False)
    return met == need.startswith("!")


def check(condition, sentence):
    if not condition:
        raise Failed(sentence)


def guard(method, result):
    """The rules of all calls, as spec/guard.json has them."""
    batch = method in GUARD["batchMethods"]
    for item in result if batch else [result]:
        error, code = item.get("error"), item.get("code")
        if error is None:
            check(code is None, f"{method} answered a code without an error")
            continue
        check(isinstance(error, str) and error.strip() != "", f"the error of {method} is no sentence")
        held = [f for f in (GUARD["batchDataFields"] if batch else GUARD["dataFields"]) if item.get(f) is not None]
        check(not held, f"{method} answered an error and {held} at once")
        check(code in GUARD["codes"], f"{method} failed without a stable code")
        check(not batch or error in GUARD["batchErrors"], f"the error of {method} is none of four words")
    for field in ("files", "matches"):
        for entry in (result.get(field) or []) if isinstance(result, dict) and isinstance(result.get(field), list) else []:
            path, is_dir = entry["path"], entry.get("is_dir") is True
            name = path[:-1] if is_dir else path
            segments = name[1:].split("/")
            check(path.startswith("/") and not set(segments) & {"", ".", ".."}, f"{method} lists {path}")
            check(is_dir == path.endswith("/"), f"{method} lists {path} as another kind")


def check_field(actual, expected, what, captured):
    key, argument = tagged(expected)
    if key == "$capture":
        check(actual is not None, f"{what} should be there")
        captured[argument] = actual
    elif key == "$any":
        check(actual is not None, f"{what} should be there")
    elif key == "$absent":
        check(actual in (None, False), f"{what} should be absent, but is {actual!r}")
    elif key == "$iso":
        check(isinstance(actual, str) and ISO.fullmatch(actual), f"{what} is no time: {actual!r}")
    elif key == "$includes":
        check(isinstance(actual, str) and str(decode(argument, captured)) in actual, f"{what} should include {argument!r}: {actual!r}")
    elif key == "$optional":
        if actual is not None:
            check_field(actual, argument, what, captured)
    elif key == "$not":
        check(actual != decode(argument, captured), f"{what} should be another")
    elif key is None and isinstance(expected, (dict, list)):
        items = expected.items() if isinstance(expected, dict) else enumerate(expected)
        if isinstance(expected, list):
            check(len(actual or []) == len(expected), f"the length of {what}")
        for name, field in items:
            inner = actual[name] if isinstance(actual, list) else (actual or {}).get(name)
            check_field(inner, field, f"{name} of {what}", captured)
    else:
        wanted = decode(expected, captured)
        check(actual == wanted, f"{what}: expected {wanted!r:.200}, received {actual!r:.200}")


def mentions(sentence, text):
    """A path is looked for itself: what goes on after it is another one."""
    ends = r"(?![\w/-]|\.\w)" if text.startswith("/") else ""
    return re.search(re.escape(text) + ends, sentence, re.ASCII) is not None


def check_result(result, expected, what, captured, batch=False):
    expected = dict(expected)
    if "each" in expected:
        check(len(result) == len(expected["each"]), f"the number of answers of {what}")
        for n, (item, wanted) in enumerate(zip(result, expected["each"])):
            check_result(item, wanted, f"item {n} of {what}", captured, True)
        return
    error = expected.pop("error", None)
    if error is None:
        check(result.get("error") is None, f"{what} should have succeeded: {result.get('error')!r}")
    else:
        check(result.get("error") is not None, f"{what} should have failed with {error}")
        actual = result["error"] if batch else result.get("code")
        wanted = error if isinstance(error, list) else [error]
        check(error is True or actual in wanted, f"{what} failed with {actual}, not {error}")
    for text in expected.pop("mentions", []):
        check(mentions(result["error"], text), f"the error of {what} should mention {text!r}: {result['error']!r}")
    if "paths" in expected:
        check_field([f["path"] for f in result.get("files", [])], expected.pop("paths"), f"the paths of {what}", captured)
    if "lines" in expected:
        found = [[m["path"], m["line"], m["text"]] for m in result.get("matches", [])]
        check_field(found, expected.pop("lines"), f"the matches of {what}", captured)
    for field, value in expected.items():
        check_field(result.get(field), value, f"'{field}' of {what}", captured)


def run(case, make):
    backend, captured = make(), {}
    for path, content in case.get("given", {}).items():
        content = decode(content, captured)
        data = content.encode("utf-8") if isinstance(content, str) else content
        stored = backend.uploadFiles([[path, data]])
        check(stored[0]["error"] is None, f"setting up {path} failed: {stored[0]}")
    for step in case["when"]:
        args = [decode(argument, captured) for argument in step["args"]]
        while args and args[-1] is UNDEFINED:
            args.pop()
        result = getattr(backend, step["call"])(*[None if a is UNDEFINED else a for a in args])
        guard(step["call"], result)
        check_result(result, step["gives"], step["call"], captured)
    for path, content in case.get("then", {}).items():
        item, = backend.downloadFiles([path])
        wanted = decode(content, captured)
        wanted = wanted.encode("utf-8") if isinstance(wanted, str) else wanted
        check(item["content"] == wanted, f"{path} holds {item['content']!r:.200}, not {wanted!r:.200}")


def main():
    module, name = (sys.argv[1] if len(sys.argv) > 1 else "memory_backend:MemoryBackend").split(":")
    make, failed = getattr(importlib.import_module(module), name), 0
    for file in sorted((PACKAGE / "cases").glob("*.json")):
        for case in json.loads(file.read_text("utf-8")):
            outcome = {"id": case["id"], "status": "pass"}
            reasons = [need for need in case.get("needs", []) if unmet(need)]
            if case.get("tier", "quick") != "quick" or reasons:
                outcome.update(status="not-applicable", reason=", ".join(reasons) or case["tier"])
            else:
                try:
                    run(case, make)
                except Exception as error:  # A backend that throws fails the case, whatever it throws.
                    outcome.update(status="fail", reason=f"{type(error).__name__}: {error}")
                    failed += 1
            print(json.dumps(outcome))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
