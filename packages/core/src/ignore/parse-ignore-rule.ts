import type { Pattern, PatternStep } from '../patterns/pattern-set.ts';

/** A rule as git understands it. Its symbols are bytes: `?` matches one byte of UTF-8, as in git. */
export interface ParsedIgnoreRule extends Pattern {
  readonly isNegated: boolean;
  readonly isOfFolders: boolean;
}

const code = (character: string): number => character.charCodeAt(0);
const [slash, backslash, star, question, open, close, caret, bang, dash, colon] = [...'/\\*?[]^!-:'].map(
  code,
) as [number, number, number, number, number, number, number, number, number, number];
const special = /[*?[\\]/;

const between = (first: string, last: string) => (byte: number) => code(first) <= byte && byte <= code(last);
const isDigit = between('0', '9');
const isLower = between('a', 'z');
const isUpper = between('A', 'Z');
const isAlpha = (byte: number) => isLower(byte) || isUpper(byte);
const isAlnum = (byte: number) => isAlpha(byte) || isDigit(byte);
const isGraph = between('!', '~');
const namedClasses = new Map<string, (byte: number) => boolean>(
  Object.entries({
    alnum: isAlnum,
    alpha: isAlpha,
    blank: (byte) => byte === 0x20 || byte === 0x09,
    cntrl: (byte) => byte < 0x20 || byte === 0x7f,
    digit: isDigit,
    graph: isGraph,
    lower: isLower,
    print: (byte) => byte === 0x20 || isGraph(byte),
    punct: (byte) => isGraph(byte) && !isAlnum(byte),
    space: (byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d,
    upper: isUpper,
    xdigit: (byte) => isDigit(byte) || between('a', 'f')(byte) || between('A', 'F')(byte),
  }),
);

/**
 * Parses one rule in the syntax of gitignore, without its line end.
 * @param rule bytes, one character each.
 * @returns null for a rule that cannot match: an unclosed bracket, an unknown class, a backslash at the end.
 */
export function parseIgnoreRule(rule: string): ParsedIgnoreRule | null {
  const isNegated = rule.startsWith('!');
  const isOfFolders = rule.endsWith('/');
  const text = rule.slice(isNegated ? 1 : 0, isOfFolders ? -1 : undefined);
  const isOfNames = !text.includes('/');
  const steps = parseSteps(text.startsWith('/') ? text.slice(1) : text, isOfNames);
  return steps === null ? null : { steps, isNegated, isOfFolders, isOfNames };
}

function parseSteps(text: string, isOfNames: boolean): PatternStep[] | null {
  const steps: PatternStep[] = [];
  const firstSpecial = text.search(special);
  for (let at = 0; at < text.length; ) {
    const byte = text.charCodeAt(at);
    if (byte === star) {
      let end = at + 1;
      while (text.charCodeAt(end) === star) end += 1;
      // Git compares the part before the first special character separately, so a run of stars there starts the rest of
      // the rule.
      const isAfterSlash = at === firstSpecial || text.charCodeAt(at - 1) === slash;
      const isBeforeSlash =
        end === text.length ||
        text.charCodeAt(end) === slash ||
        (text.charCodeAt(end) === backslash && text.charCodeAt(end + 1) === slash);
      const crossesSlash = !isOfNames && end - at > 1 && isAfterSlash && isBeforeSlash;
      if (crossesSlash && text.charCodeAt(end) === slash) {
        // Two in a row mean the same as one.
        if (!endsWithFolders(steps)) {
          steps.push({ kind: 'folders' }, { kind: 'many', crossesSlash: true }, symbolStep(slash));
        }
        end += 1;
      } else steps.push({ kind: 'many', crossesSlash });
      at = end;
    } else if (byte === question) {
      steps.push({ kind: 'one' });
      at += 1;
    } else if (byte === open) {
      const parsed = parseClass(text, at + 1);
      if (parsed === null) return null;
      steps.push({ kind: 'of', has: parsed.has });
      at = parsed.end;
    } else {
      const isEscape = byte === backslash;
      if (isEscape && at + 1 === text.length) return null;
      steps.push(symbolStep(isEscape ? text.charCodeAt(at + 1) : byte));
      at += isEscape ? 2 : 1;
    }
  }
  return steps;
}

function symbolStep(symbol: number): PatternStep {
  return { kind: 'symbol', symbol };
}

function endsWithFolders(steps: readonly PatternStep[]): boolean {
  return steps.at(-3)?.kind === 'folders';
}

/** @param start after the opening bracket. @returns null for an unclosed bracket, or a class that git does not know. */
function parseClass(
  text: string,
  start: number,
): { readonly has: (byte: number) => boolean; readonly end: number } | null {
  const members = new Uint8Array(256);
  const first = text.charCodeAt(start);
  const isNegated = first === bang || first === caret;
  let at = isNegated ? start + 1 : start;
  // Start of a possible range; 0 if none can start here.
  let before = 0;
  do {
    if (at >= text.length) return null;
    let byte = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (byte === backslash) {
      at += 1;
      if (at >= text.length) return null;
      byte = text.charCodeAt(at);
      members[byte] = 1;
    } else if (byte === dash && before !== 0 && at + 1 < text.length && next !== close) {
      at += next === backslash ? 2 : 1;
      if (at >= text.length) return null;
      members.fill(1, before, text.charCodeAt(at) + 1);
      byte = 0;
    } else if (byte === open && next === colon) {
      const end = text.indexOf(']', at + 2);
      if (end === -1) return null;
      if (end - 1 < at + 2 || text.charCodeAt(end - 1) !== colon) members[byte] = 1;
      else {
        const has = namedClasses.get(text.slice(at + 2, end - 1));
        if (has === undefined) return null;
        for (let each = 0; each < 128; each += 1) if (has(each)) members[each] = 1;
        at = end;
        byte = 0;
      }
    } else members[byte] = 1;
    before = byte;
    at += 1;
  } while (text.charCodeAt(at) !== close);
  return {
    has: (byte) => (members[byte] === 1) !== isNegated && byte !== slash,
    end: at + 1,
  };
}
