import { compareKeys } from "./key-order.js";

/** Pages that lie ahead of a part at least for it to be worth a request that may turn out to be one too many. */
export const PAGES_APART = 8;
/** Pages that are read before the first look: what has no more of them is not worth a request beside. */
const FIRST_LOOK = 2;
/** Pages of one directory in a row after which it is worth a look: a smaller one may have nothing left to be seen. */
const PAGES_TO_LOOK = 4;
/** Directories of a look from which the next look in the same directory is worth its request. */
const MANY_NAMES = 500;

/** How many neighbouring directories filled how many pages. */
interface Density {
  pages: number;
  passed: number;
}

/** A part of a listing between two keys, which one chain of requests reads from its beginning to its end. */
export class Stretch {
  /** The first key that it may have; what comes before is another's. */
  readonly from: string | undefined;
  /** The first key that it has no more. */
  end: string | undefined;
  /** The last key that was read. */
  last: string | undefined;
  /** What continues right after {@link last}. */
  token: string | undefined;
  /** The keys of the page that was read last: its own. */
  page: readonly string[] = [];
  /** The directory that {@link names} are in. */
  parent: string;
  /** Keys ahead at which it can be divided, in order. */
  names: string[] = [];
  /** Pages that were read of it, or of what it was divided from. */
  #run = 0;
  /** True where the names are guesses, and not of directories that were seen. */
  #guessed = false;
  /** True while another look in the same directory may give more names. */
  #more = true;
  #lookedAfter: string | undefined;
  /** The directory right in {@link parent} that the last pages lie in, and how many they are. */
  #place = "";
  #pagesInPlace = 0;
  #density: Density = { pages: 0, passed: 0 };

  constructor(parent: string, from?: string, end?: string) {
    this.parent = parent;
    this.from = from;
    this.end = end;
  }

  get guessed(): boolean {
    return this.#guessed;
  }

  /** Returns whether a key is its own. */
  has(key: string): boolean {
    return (
      (this.from === undefined || compareKeys(key, this.from) >= 0) &&
      (this.end === undefined || compareKeys(key, this.end) < 0)
    );
  }

  /** Notes a page that was read. */
  read(page: readonly string[], token: string | undefined): void {
    this.token = token;
    const last = page.at(-1);
    if (last === undefined) return;
    this.last = last;
    this.page = page;
    this.#run++;
    const place = childOf(this.parent, last);
    const isSame = place === this.#place && page[0]?.startsWith(place) === true;
    this.#pagesInPlace = isSame ? this.#pagesInPlace + 1 : 1;
    this.#place = place;
    const ahead = this.names.findIndex((name) => compareKeys(name, last) > 0);
    const passed = ahead === -1 ? this.names.length : ahead;
    this.names.splice(0, passed);
    this.#density.pages++;
    this.#density.passed += passed;
  }

  /** Notes what a look in a directory gave: the directories ahead, and whether it was all of them. */
  looked(parent: string, names: string[], truncated: boolean): void {
    this.#lookedAfter = this.last;
    this.parent = parent;
    this.#more = truncated && (names.length === 0 || names.length >= MANY_NAMES);
    if (names.length === 0) return;
    this.names = this.#guessed ? names : [...names, ...this.names];
    this.#guessed = false;
    const seen = new Set(this.page.map((key) => childOf(parent, key)));
    this.#density = { pages: 1, passed: seen.size };
  }

  /**
   * Supposes names once many pages were read, and no directories are known that are still ahead.
   *
   * @param prefix What all keys begin with.
   */
  guess(prefix: string): void {
    if (this.#run < PAGES_APART || this.names.length > 0) return;
    this.names = guessedNames(prefix, this.page).filter((name) => this.has(name));
    this.#guessed = true;
  }

  /**
   * The directory in which a look for names makes sense, because a whole page lies in it: where the last names came from while
   * there may be more of them, else the one below it that the last key is in, when it is large or all that is left.
   */
  get placeToLook(): string | undefined {
    const { last, parent } = this;
    if (last === undefined || this.#run < FIRST_LOOK || this.pagesAhead >= 2 * PAGES_APART)
      return undefined;
    const again = this.#more && this.names.length === 0 && last.startsWith(parent);
    if (again && last === this.#lookedAfter) return undefined;
    const place = again ? parent : childOf(parent, last);
    const isLarge = last === this.#lookedAfter || this.#pagesInPlace >= PAGES_TO_LOOK;
    if (!again && !(place.endsWith("/") && isLarge)) return undefined;
    return this.page[0]?.startsWith(place) === true ? place : undefined;
  }

  /** Pages that lie ahead of the last names, as far as can be judged. */
  get pagesAhead(): number {
    if (this.names.length === 0) return 0;
    // Nothing shows how much there is: it is taken for twice what was read.
    if (this.#guessed) return this.page.length === 0 ? 0 : 2 * this.#run;
    const { pages, passed } = this.#density;
    return (this.names.length * pages) / Math.max(1, passed);
  }

  /** Hands over the second half of the names, and all that follows them. */
  divide(): Stretch {
    const [from, ...names] = this.names.splice(this.names.length >> 1);
    const upper = new Stretch(this.parent, from, this.end);
    upper.names = names;
    upper.#run = this.#run;
    upper.#guessed = this.#guessed;
    upper.#more = this.#more;
    upper.#density = this.#density;
    // It begins with one of them.
    if (!this.#guessed) this.#density.passed++;
    this.end = from;
    if (!this.#guessed) this.#more = false;
    return upper;
  }
}

/** The directory right in `parent` that a key is in, or the key itself. */
function childOf(parent: string, key: string): string {
  const slash = key.indexOf("/", parent.length);
  return slash === -1 ? key : key.slice(0, slash + 1);
}

/**
 * Where keys may begin that come after those of a page: with what the last one begins with, and then another character that
 * the page has. A guess that is wrong costs a request and nothing else.
 */
function guessedNames(prefix: string, page: readonly string[]): string[] {
  const [first = ""] = page;
  const last = page.at(-1) ?? "";
  let differs = 0;
  while (differs < last.length - 1 && first[differs] === last[differs]) differs++;
  const alphabet = [...new Set(page.join(""))]
    .filter((character) => /^[0-9A-Za-z]$/.test(character))
    .toSorted();
  const guesses: string[] = [];
  for (let index = differs; index >= prefix.length; index--)
    for (const character of alphabet)
      if (character > last.charAt(index)) guesses.push(last.slice(0, index) + character);
  return guesses;
}
