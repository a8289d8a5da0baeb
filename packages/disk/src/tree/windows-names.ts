/** Names that Windows gives to devices in every directory, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .:].*)?$/i;

/**
 * Why a single name cannot be used on Windows, where it would mean something else than itself: a separator, a drive or an
 * alternate stream, a device, or a name that Windows silently shortens.
 *
 * @returns The rest of a sentence that begins with the name, or `undefined` for a plain name.
 */
export function windowsNameProblem(name: string): string | undefined {
  if (name.includes("\\")) return "holds a backslash, which separates names on Windows";
  if (name.includes(":")) return "holds a colon, which names a drive or a stream on Windows";
  if (/[<>"|?*]/.test(name)) return "holds a character that Windows does not allow in names";
  if (/[ .]$/.test(name)) return "ends in a space or a dot, which Windows drops";
  if (/~[0-9]/.test(name)) return "may be the short form of another name on Windows";
  if (DEVICE.test(name)) return "is the name of a device on Windows";
  return undefined;
}
