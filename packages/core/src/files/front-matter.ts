import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  Lexer,
  type ParsedNode,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml';
import { type FrontMatterBlock, frontMatterBlock } from './front-matter-block.ts';

export interface FrontMatter extends FrontMatterBlock {
  /** The block's mapping, with offsets from `contentStart`; null if the block is blank. */
  readonly map: YAMLMap<ParsedNode, ParsedNode | null> | null;
}

/** The parser and the code that walks its tree recurse for each level. */
const depthMax = 100;

/**
 * Returns the front matter that a markdown text begins with, or null (interface: files, Front matter). A block with an
 * error, or one that is not a mapping, is ordinary markdown. This file loads the library, so import it only for a text
 * that begins with `---`.
 */
export function readFrontMatter(text: string): FrontMatter | null {
  const block = frontMatterBlock(text);
  if (block === null) return null;
  const content = text.slice(block.contentStart, block.contentEnd);
  if (content.trim() === '') return { ...block, map: null };
  const contents = composeFrontMatter(content)?.contents;
  return isMap(contents) ? { ...block, map: contents } : null;
}

/**
 * Returns the YAML of a block, in the core schema. Null if it has an error, several documents, aliases or a duplicate
 * key. The outcome depends on the text alone, not on time, memory or earlier calls.
 */
export function composeFrontMatter(block: string): Document.Parsed | null {
  const document = composeOne(block);
  return document === null || !isPlain(document) ? null : document;
}

function composeOne(block: string): Document.Parsed | null {
  try {
    const tokens = readTokens(block);
    if (tokens === null) return null;
    // The library compares each key with all others of its mapping; `isPlain` does the same in linear time.
    const composer = new Composer({ schema: 'core', uniqueKeys: false, logLevel: 'silent' });
    const [only, ...more] = composer.compose(tokens, true, block.length);
    return only === undefined || more.length > 0 || only.errors.length > 0 ? null : (only as Document.Parsed);
  } catch {
    // The library throws on some texts. That counts as an error in the text, because any file can be stored.
    return null;
  }
}

/** Returns null if the nesting is too deep. */
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

/** Whether it has no alias and no duplicate key. */
function isPlain(document: Document.Parsed): boolean {
  let plain = true;
  const reject = () => {
    plain = false;
    return visit.BREAK;
  };
  visit(document, {
    Alias: reject,
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : key;
        if (keys.has(value)) return reject();
        keys.add(value);
      }
      return undefined;
    },
  });
  return plain;
}
