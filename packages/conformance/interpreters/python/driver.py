"""Serves a backend in Python to the suite: one JSON object per line in, one per line out.

    python3 driver.py [module:Class]      # default: memory_backend:MemoryBackend
"""

import base64
import importlib
import json
import sys

METHODS = ["ls", "read", "readRaw", "stat", "write", "edit", "multiEdit", "delete", "move", "copy",
           "glob", "grep", "uploadFiles", "downloadFiles"]


def decoded(value):
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (key, argument), = value.items()
        if key == "$base64":
            return base64.b64decode(argument)
        if key == "$utf16":
            return b"".join(unit.to_bytes(2, "big") for unit in argument).decode("utf-16-be", "surrogatepass")
        if key == "$number":
            return float(argument)
        if key == "$undefined":
            return None
    return {name: decoded(field) for name, field in value.items()}


def encoded(value):
    if isinstance(value, (bytes, bytearray)):
        return {"$base64": base64.b64encode(value).decode()}
    if isinstance(value, (list, tuple)):
        return [encoded(item) for item in value]
    if isinstance(value, dict):
        return {name: encoded(field) for name, field in value.items()}
    return value


def main():
    module, _, name = (sys.argv[1] if len(sys.argv) > 1 else "memory_backend:MemoryBackend").partition(":")
    backend_class = getattr(importlib.import_module(module), name)
    backends = {}  # Clients of one namespace share its files.
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"id": request["id"]}
        try:
            if request["do"] == "create":
                backend = backends.setdefault(request["ns"], backend_class())
                answer["result"] = {"methods": [one for one in METHODS if hasattr(backend, one)]}
            elif request["do"] == "dispose":
                backends.pop(request["ns"], None)
                answer["result"] = {}
            else:
                method = getattr(backends[request["ns"]], request["method"])
                answer["result"] = encoded(method(*decoded(request["args"])))
        except Exception as error:  # A backend must not throw (A1): the error is reported to the suite.
            answer["failed"] = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


main()
