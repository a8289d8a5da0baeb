"""A small backend in memory that follows the rules of docs/semantics.md, for the cases to run against."""

import re
from datetime import datetime, timezone

MEDIA = set(
    "png jpg jpeg gif webp heic heif mp3 wav aiff aac ogg flac mp4 webm mpeg mpg mov avi flv wmv 3gpp pdf ppt pptx".split()
)
TYPES = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "heic": "image/heic", "heif": "image/heif", "mp3": "audio/mpeg", "wav": "audio/wav", "aiff": "audio/aiff",
    "aac": "audio/aac", "ogg": "audio/ogg", "flac": "audio/flac", "mp4": "video/mp4", "webm": "video/webm",
    "mpeg": "video/mpeg", "mpg": "video/mpeg", "mov": "video/quicktime", "avi": "video/x-msvideo",
    "flv": "video/x-flv", "wmv": "video/x-ms-wmv", "3gpp": "video/3gpp", "pdf": "application/pdf",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
TEXT_TYPES = {"html": "text/html", "json": "application/json", "svg": "image/svg+xml", "md": "text/markdown",
              "css": "text/css", "csv": "text/csv", "xml": "text/xml", "js": "text/javascript"}
FOUR = {"not_found": "file_not_found", "is_directory": "is_directory", "invalid_path": "invalid_path",
        "invalid_argument": "invalid_path", "not_directory": "invalid_path", "too_large": "invalid_path"}


class Refused(Exception):
    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


def utf16_key(text):
    return text.encode("utf-16-be", "surrogatepass")


def canonical(path, file=False):
    shown = f"'{path}'" if isinstance(path, str) else f"({type(path).__name__})"
    def refuse(why):
        return Refused("invalid_path", f"{shown} is not a valid path: {why}")
    if not isinstance(path, str):
        raise refuse("it is no text")
    if path == "":
        raise refuse("it is empty")
    if any(0xD800 <= ord(c) <= 0xDFFF for c in path):
        raise refuse("it holds half of a character")
    if any(ord(c) < 32 or ord(c) == 127 for c in path):
        raise refuse("it holds a control character")
    if not path.startswith("/"):
        raise refuse(f"it must be absolute, as '/{path}'")
    segments = [s for s in path.split("/") if s not in ("", ".")]
    if any(s in ("..", "~") for s in segments):
        raise refuse("'..' and '~' lead elsewhere")
    clean = "/" + "/".join(segments)
    if any(len(s.encode()) > 255 for s in segments) or len(clean.encode()) > 4096:
        raise refuse("it is too long")
    if file and clean == "/":
        raise Refused("is_directory", f"{shown} is a directory, not a file.")
    if file and re.search(r"/\.?$", path):
        raise refuse("a file's path must not end in '/'")
    return clean


def text_of(path, data):
    name = path.rsplit("/", 1)[-1]
    extension = name.rsplit(".", 1)[-1].lower() if "." in name[1:] else ""
    if extension in MEDIA or b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def type_of(path, data):
    name = path.rsplit("/", 1)[-1]
    extension = name.rsplit(".", 1)[-1].lower() if "." in name[1:] else ""
    if extension in TYPES:
        return TYPES[extension]
    if text_of(path, data) is None:
        return "application/octet-stream"
    return TEXT_TYPES.get(extension, "text/plain")


def lines_of(text):
    parts = text.split("\n")
    last = parts.pop()
    return [p + "\n" for p in parts] + ([last] if last else [])


def bare(line):
    return line[:-1].removesuffix("\r") if line.endswith("\n") else line.removesuffix("\r")


def count(name, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or value != int(value) or value < 0:
        raise Refused("invalid_argument", f"'{name}' must be a whole number, 0 or more.")
    return int(value)


def well_formed(name, value):
    if not isinstance(value, str) or any(0xD800 <= ord(c) <= 0xDFFF for c in value):
        raise Refused("invalid_argument", f"'{name}' must be a well-formed text.")
    return value


def resemblance(one, other):
    """How many pairs of letters two lines have in common."""
    one, other = ({line[at : at + 2].lower() for at in range(len(line) - 1)} for line in (one, other))
    return len(one & other)


def edited(text, path, old, new, everywhere):
    if old == "":
        if text == "":
            return new, 1
        raise Refused("invalid_argument", "'old' must not be empty, except on an empty file.")
    spans, folded, at = [], False, text.find(old)
    while at != -1:
        spans.append((at, at + len(old)))
        at = text.find(old, at + len(old))
    if not spans and "\n" in old and "\r\n" in text:
        folded = True
        pattern = r"\r?\n".join(map(re.escape, old.replace("\r\n", "\n").split("\n")))
        spans = [m.span() for m in re.finditer(pattern, text)]
    if not spans:
        wanted = old.strip().split("\n")[0]
        close = sorted((-resemblance(wanted, bare(l)), n, bare(l)) for n, l in enumerate(lines_of(text), 1))
        shown = "; ".join(f"line {n}: {l}" for likeness, n, l in close[:3] if likeness < 0)
        raise Refused("no_match", f"The text to replace was not found in '{path}'.\nClosest: {shown}")
    if len(spans) > 1 and not everywhere:
        lines = [text.count("\n", 0, start) + 1 for start, _ in spans]
        raise Refused("not_unique", f"The text occurs {len(spans)} times in '{path}', on lines {', '.join(map(str, lines))}.")
    out, start = [], 0
    for left, right in spans:
        out.append(text[start:left])
        flat = new.replace("\r\n", "\n")
        out.append((flat.replace("\n", "\r\n") if "\r\n" in text[left:right] else flat) if folded else new)
        start = right
    return "".join(out) + text[start:], len(spans)


def answers(method):
    """Turns what a method refuses into a result."""
    def call(self, *args):
        try:
            return method(self, *args)
        except Refused as refusal:
            return {"error": as_written(refusal.sentence, args), "code": refusal.code}
    return call


def as_written(sentence, args):
    """A6: a sentence names a path as the caller wrote it. What follows its first line are lines of a file."""
    sentence, *lines = sentence.split("\n")
    for arg in args:
        if isinstance(arg, str) and arg.startswith("/"):
            clean = "/" + "/".join(s for s in arg.split("/") if s not in ("", "."))
            sentence = sentence.replace(f"'{clean}'", f"'{arg}'")
    return "\n".join([sentence, *lines])


class MemoryBackend:
    def __init__(self):
        self.files, self.clock = {}, 0

    # What a path is, and what may be stored there.

    def directory(self, path):
        return path == "/" or any(p.startswith(path + "/") for p in self.files)

    def entry(self, path):
        if path in self.files:
            return self.files[path]
        if self.directory(path):
            raise Refused("is_directory", f"'{path}' is a directory, not a file.")
        raise Refused("not_found", f"'{path}' was not found.")

    def free(self, path):
        if self.directory(path):
            raise Refused("is_directory", f"'{path}' is a directory, not a file.")
        segments = path.split("/")
        if any("/".join(segments[:n]) in self.files for n in range(2, len(segments))):
            raise Refused("not_directory", f"'{path}' lies below a file.")

    def put(self, path, data):
        self.clock += 1
        now = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
        created = self.files[path]["created_at"] if path in self.files else now
        self.files[path] = {"data": data, "version": str(self.clock), "created_at": created, "modified_at": now}

    def below(self, path):
        prefix = "/" if path == "/" else path + "/"
        return sorted((p for p in self.files if p.startswith(prefix)), key=utf16_key)

    def checked(self, path, options):
        wanted = (options or {}).get("ifVersion")
        if wanted is not None and (path not in self.files or self.files[path]["version"] != wanted):
            raise Refused("conflict", f"'{path}' has another version.")
        return wanted is not None

    @answers
    def ls(self, path="/", options=None):
        path = canonical(path or "/")
        if path in self.files:
            raise Refused("not_directory", f"'{path}' is not a directory.")
        if not self.directory(path):
            raise Refused("not_found", f"'{path}' was not found.")
        prefix, found = ("/" if path == "/" else path + "/"), {}
        for file in self.below(path):
            name, slash, _ = file[len(prefix):].partition("/")
            if slash:
                found[prefix + name + "/"] = {"path": prefix + name + "/", "is_dir": True}
            else:
                found[file] = self.info(file)
        return {"files": [found[p] for p in sorted(found, key=utf16_key)]}

    def info(self, path):
        file = self.files[path]
        return {"path": path, "size": len(file["data"]), "modified_at": file["modified_at"]}

    @answers
    def read(self, path, offset=0, limit=500, options=None):
        path = canonical(path, True)
        offset, limit = count("offset", 0 if offset is None else offset), count("limit", 500 if limit is None else limit)
        file = self.entry(path)
        text, mime = text_of(path, file["data"]), type_of(path, file["data"])
        if text is None:
            return {"content": file["data"], "mimeType": mime, "version": file["version"]}
        lines = lines_of(text)
        if offset > 0 and offset >= len(lines):
            raise Refused("invalid_range", f"'{path}' has {len(lines)} lines; there is no line {offset + 1}.")
        page = lines[offset:offset + limit]
        result = {"content": "".join(page), "mimeType": mime, "version": file["version"], "totalLines": len(lines)}
        if page:
            result.update(startLine=offset + 1, endLine=offset + len(page))
        if offset + len(page) < len(lines):
            result["nextOffset"] = offset + len(page)
        return result

    @answers
    def readRaw(self, path, options=None):
        path = canonical(path, True)
        file = self.entry(path)
        text = text_of(path, file["data"])
        data = {"content": file["data"] if text is None else text, "mimeType": type_of(path, file["data"])}
        return {"data": {**data, "created_at": file["created_at"], "modified_at": file["modified_at"]}}

    @answers
    def write(self, path, content=None, options=None):
        path = canonical(path, True)
        data = well_formed("content", content).encode()
        self.free(path)
        if not self.checked(path, options) and path in self.files:
            raise Refused("already_exists", f"'{path}' already exists.")
        self.put(path, data)
        return {"path": path}

    @answers
    def edit(self, path, old=None, new=None, everywhere=False, options=None):
        return self.replace(path, [{"old": old, "new": new, "replaceAll": everywhere}], options)

    @answers
    def multiEdit(self, path, edits=None, options=None):
        return self.replace(path, edits, options)

    def replace(self, path, edits, options):
        path = canonical(path, True)
        if not isinstance(edits, list) or not edits:
            raise Refused("invalid_argument", "'edits' must be a list of at least one edit.")
        for edit in edits:
            well_formed("old", edit.get("old")), well_formed("new", edit.get("new"))
        file = self.entry(path)
        self.checked(path, options)
        text, total = text_of(path, file["data"]), 0
        if text is None:
            raise Refused("not_text", f"'{path}' is not a text file.")
        for number, edit in enumerate(edits, 1):
            try:
                text, found = edited(text, path, edit["old"], edit["new"], edit.get("replaceAll", False))
            except Refused as refusal:
                where = f" (edit {number} of {len(edits)})" if len(edits) > 1 else ""
                raise Refused(refusal.code, refusal.sentence + where) from None
            total += found
        self.put(path, text.encode())
        return {"path": path, "occurrences": total}

    @answers
    def delete(self, path, options=None):
        clean = canonical(path)
        if clean == "/":
            raise Refused("permission_denied", "The root cannot be removed.")
        if clean in self.files:
            if path.endswith("/"):
                raise Refused("not_directory", f"'{path}' is a file.")
            self.checked(clean, options)
            del self.files[clean]
            return {"path": clean}
        if not self.directory(clean):
            raise Refused("not_found", f"'{path}' was not found.")
        for file in self.below(clean):
            del self.files[file]
        return {"path": clean}

    @answers
    def move(self, source, target, options=None):
        return self.relocate(source, target, options, True)

    @answers
    def copy(self, source, target, options=None):
        return self.relocate(source, target, options, False)

    def relocate(self, source, target, options, moves):
        source, target = canonical(source), canonical(target)
        if target == source or target.startswith(source.rstrip("/") + "/"):
            raise Refused("invalid_argument", f"'{source}' cannot be put at or below itself.")
        single = source in self.files
        files = [source] if single else self.below(source)
        if not files:
            raise Refused("not_found", f"'{source}' was not found.")
        overwrite = (options or {}).get("overwrite") is True
        places = [canonical(target + file[len(source):]) for file in files]
        if overwrite and set(places) & set(files):
            raise Refused("invalid_argument", f"Some files of '{source}' would replace others of them.")
        merges = not single and self.directory(target)
        if target in self.files and (not overwrite or not single) or (merges and not overwrite):
            raise Refused("already_exists", f"'{target}' already exists.")
        # The refusal names the destination, not a file that would have come below it.
        for place in places if merges else [target]:
            self.free(place)
        for file, place in zip(files, places):
            self.put(place, self.files[file]["data"])
            if moves:
                del self.files[file]
        return {"path": target, "files": len(files)}

    def base(self, path):
        path = canonical(path or "/")
        if path in self.files:
            return path, [path]
        if not self.directory(path):
            raise Refused("not_found", f"'{path}' was not found.")
        return path, self.below(path)

    @answers
    def glob(self, pattern, path="/", options=None):
        from globs import matcher
        matches = matcher(pattern)
        base, files = self.base(path)
        return {"files": [self.info(f) for f in files if matches(self.relative(f, base, pattern))]}

    @staticmethod
    def relative(file, base, pattern):
        if pattern.startswith("/"):
            return file[1:]
        return file.rsplit("/", 1)[-1] if file == base else file[len(base.rstrip("/")) + 1:]

    @answers
    def grep(self, pattern, path="/", glob=None, cap=None, options=None):
        from globs import matcher
        options = options or {}
        if not isinstance(pattern, str) or pattern == "" or "\n" in pattern or "\r" in pattern:
            raise Refused("invalid_argument", "The pattern must be a text of one line that is not empty.")
        if options.get("regex"):
            raise Refused("unsupported", "This backend knows no regular expressions.")
        if cap is not None:
            cap = count("maxCount", cap)
        matches = None if glob is None else matcher(glob)
        base, files = self.base(path)
        fold = str.lower if options.get("ignoreCase") else str
        before, after, found = options.get("before", 0), options.get("after", 0), []
        for file in files:
            name = file.rsplit("/", 1)[-1] if glob is not None and "/" not in glob else self.relative(file, base, glob or "")
            if matches is not None and not matches(name):
                continue
            lines = [bare(l) for l in lines_of(text_of(file, self.files[file]["data"]) or "")]
            for n, line in enumerate(lines):
                if fold(pattern) in fold(line):
                    match = {"path": file, "line": n + 1, "text": line}
                    if before:
                        match["before"] = lines[max(0, n - before):n]
                    if after:
                        match["after"] = lines[n + 1:n + 1 + after]
                    found.append(match)
        kept = found if cap is None else found[:cap]
        if len(kept) * (before + after) > 200_000:
            raise Refused("invalid_argument", "That is more than 200000 lines of context. Ask for fewer, or give a maxCount.")
        return {"matches": kept, "truncated": True} if len(kept) < len(found) else {"matches": kept}

    def uploadFiles(self, files, options=None):
        return [self.one(item[0], lambda path, item=item: self.store(path, item[1])) for item in files]

    def store(self, path, data):
        if not isinstance(data, (bytes, bytearray)):
            raise Refused("invalid_argument", "The content must be bytes.")
        self.free(path)
        self.put(path, bytes(data))
        return {}

    def downloadFiles(self, paths, options=None):
        return [{"content": None, **self.one(path, lambda p: {"content": self.entry(p)["data"]})} for path in paths]

    @staticmethod
    def one(path, task):
        try:
            return {"path": path, "error": None, **task(canonical(path, True))}
        except Refused as refusal:
            return {"path": path, "error": FOUR.get(refusal.code, "permission_denied"), "code": refusal.code}
