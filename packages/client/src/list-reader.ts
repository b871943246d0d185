/** Enough for a list of a million files, with room to spare. */
export const listEntriesMax = 2_000_000;
/** Room for a path of 1,000 characters, all of them escaped, and the other fields of an entry. */
export const listEntryMaxCharacters = 32 * 1024;
/** The text around the entries: icons, orders, private paths. */
const restMaxCharacters = 64 * 1024 * 1024;

/** Room for the member name `entries` and the white space around it. */
const nameRoom = 64;

const quote = 34;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Parses the JSON of a list while it arrives, so that its text is never in memory as a whole. */
export interface ListReader {
  /** @throws RangeError when a bound is exceeded; SyntaxError for text that is not JSON. */
  add(text: string): void;
  /** Returns the whole value. @throws SyntaxError for text that is not JSON. */
  end(): unknown;
}

/**
 * Cuts the elements of the member `entries` out of the text. Each call of `add` parses the elements that are complete
 * by then; the text around them is parsed at the end.
 */
export function createListReader(): ListReader {
  const entries: unknown[] = [];
  /** Not parsed yet: outside the entries all text of this `add`, inside them the start of an incomplete element. */
  let text = '';
  let rest = '';
  /** The last characters of `rest`, because the name of the array may begin in an earlier chunk. */
  let tail = '';
  /** Scanned up to here. */
  let at = 0;
  let depth = 0;
  let isInString = false;
  let isInEntries = false;
  /** Start of the current element, with the comma before it, and end of the last complete one. */
  let begin = 0;
  let complete = 0;

  const cutRest = (end: number) => {
    const cut = text.slice(0, end);
    rest += cut;
    if (rest.length > restMaxCharacters) throw new RangeError(`more than ${restMaxCharacters} characters`);
    tail = (tail + cut.slice(-nameRoom)).slice(-nameRoom);
    drop(end);
  };
  const drop = (end: number) => {
    text = text.slice(end);
    at -= end;
    begin = 0;
    complete = 0;
  };
  const checkEntry = (end: number) => {
    if (end - begin > listEntryMaxCharacters) {
      throw new RangeError(`an entry has more than ${listEntryMaxCharacters} characters`);
    }
  };
  const parseComplete = () => {
    if (complete === 0) return;
    const elements = text.slice(0, complete);
    const parsed: unknown[] = JSON.parse(`[${entries.length === 0 ? elements : withoutComma(elements)}]`);
    if (entries.length + parsed.length > listEntriesMax)
      throw new RangeError(`more than ${listEntriesMax} entries`);
    for (const entry of parsed) entries.push(entry);
    drop(complete);
  };
  const opened = (code: number) => {
    depth += 1;
    if (depth !== 2 || code !== openBracket) return;
    const before = text.slice(Math.max(0, at - nameRoom), at);
    if (!/[{,]\s*"entries"\s*:\s*$/.test(tail + before)) return;
    at += 1;
    cutRest(at);
    at -= 1;
    isInEntries = true;
  };
  const closed = () => {
    depth -= 1;
    if (!isInEntries) return;
    if (depth === 2) {
      checkEntry(at + 1);
      begin = at + 1;
      complete = at + 1;
    } else if (depth === 1) {
      parseComplete();
      isInEntries = false;
    }
  };

  /** Moves to the next bracket outside strings, or to the end of the text. */
  const scan = () => {
    // Local variables, because the loop reads every character.
    let next = at;
    let isInside = isInString;
    for (const { length } = text; next < length; next += 1) {
      const code = text.charCodeAt(next);
      if (isInside) {
        if (code === backslash) next += 1;
        else if (code === quote) isInside = false;
      } else if (code === quote) isInside = true;
      else if (code === openBrace || code === openBracket || code === closeBrace || code === closeBracket)
        break;
    }
    at = next;
    isInString = isInside;
  };

  return {
    add(more) {
      text += more;
      for (scan(); at < text.length; scan()) {
        const code = text.charCodeAt(at);
        if (code === openBrace || code === openBracket) opened(code);
        else closed();
        at += 1;
      }
      if (!isInEntries) return cutRest(text.length);
      parseComplete();
      checkEntry(text.length);
    },
    end() {
      const value: { readonly entries?: unknown } | null = JSON.parse(rest + text);
      if (entries.length === 0) return value;
      // The array also had something other than complete elements.
      if (!Array.isArray(value?.entries) || value.entries.length > 0)
        throw new SyntaxError('a comma is missing');
      return { ...value, entries };
    },
  };
}

function withoutComma(text: string): string {
  const comma = /^\s*,/.exec(text);
  if (comma === null) throw new SyntaxError('a comma is missing between two entries');
  return text.slice(comma[0].length);
}
