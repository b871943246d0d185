import { Composer, type CST, type Document, isMap, isScalar, Lexer, Parser, visit } from 'yaml';
import type { FrontMatter } from '../ports/front-matter.ts';

const titleCharactersMax = 200;
/** The parser and what walks its tree call themselves for each level: more of them than anybody writes. */
const depthMax = 100;

/**
 * What the lines between the two `---` of a markdown file say (interface: files, Front matter). YAML of the core schema
 * without aliases; null when it is not that, or says nothing that is used.
 *
 * Every content has one answer, so that it can be kept by hash: nothing here depends on time, memory or earlier calls.
 */
export function parseFrontMatter(block: string): FrontMatter | null {
  const document = composeOne(block);
  if (document === null || !isMap(document.contents) || !isPlain(document)) return null;
  const date = parseDate(textOf(document, 'date'));
  const title = parseTitle(textOf(document, 'title'));
  const view = textOf(document, 'view') === 'calendar' ? 'calendar' : null;
  return date === null && title === null && view === null ? null : { date, title, view };
}

/** The only document of the block; null where there are several, or an error. */
function composeOne(block: string): Document | null {
  try {
    const tokens = readTokens(block);
    if (tokens === null) return null;
    // The library compares each key with all others of its mapping: `isPlain` finds the same without.
    const composer = new Composer({ schema: 'core', uniqueKeys: false, logLevel: 'silent' });
    const [only, ...more] = composer.compose(tokens, true, block.length);
    return only === undefined || more.length > 0 || only.errors.length > 0 ? null : only;
  } catch {
    // What the library throws over some text is an error in that text: a file is written whatever it begins with.
    return null;
  }
}

/** Null where something is nested too deeply. */
function readTokens(block: string): readonly CST.Token[] | null {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(block)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > depthMax) return null;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** Neither aliases nor a key that comes twice. */
function isPlain(document: Document): boolean {
  let plain = true;
  const refuse = () => {
    plain = false;
    return visit.BREAK;
  };
  visit(document, {
    Alias: refuse,
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : key;
        if (keys.has(value)) return refuse();
        keys.add(value);
      }
      return undefined;
    },
  });
  return plain;
}

function textOf(document: Document, key: string): string | null {
  const value = document.get(key);
  return typeof value === 'string' ? value : null;
}

function parseDate(text: string | null): string | null {
  const parts = text === null ? null : /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (text === null || parts === null) return null;
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number);
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  return midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day ? text : null;
}

/** One line, trimmed and cut. */
function parseTitle(text: string | null): string | null {
  const line = text?.trim() ?? '';
  // Half a surrogate pair cannot be kept, and control characters include every end of a line but the two below.
  if (line === '' || !line.isWellFormed() || /[^\P{Cc}\t]|[\u2028\u2029]/u.test(line)) return null;
  return [...line].slice(0, titleCharactersMax).join('').trimEnd();
}
