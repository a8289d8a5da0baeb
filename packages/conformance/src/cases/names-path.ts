/** What goes on with a path after its text: a segment, more of the name, or an extension. Letters of other scripts may be the sentence's. */
const GOES_ON = /^(?:[\w/-]|\.\w)/;

/** Whether a sentence holds this path itself, not only that of something below it, whatever it is quoted with. */
export function namesPath(sentence: string, path: string): boolean {
  for (let at = sentence.indexOf(path); at !== -1; at = sentence.indexOf(path, at + 1))
    if (!GOES_ON.test(sentence.slice(at + path.length))) return true;
  return false;
}
