import { tokenize, tokenTypes } from 'css-tree';
import { harmlessFunctions } from './harmless-functions.ts';

const harmfulTokens: ReadonlySet<number> = new Set([
  tokenTypes.Url,
  tokenTypes.BadUrl,
  tokenTypes.BadString,
  tokenTypes.AtKeyword,
  tokenTypes.CDO,
  tokenTypes.CDC,
  tokenTypes.Comment,
  tokenTypes.LeftCurlyBracket,
  tokenTypes.RightCurlyBracket,
  tokenTypes.Semicolon,
]);

/** The token that ends what this one begins. */
const endings: ReadonlyMap<number, number> = new Map([
  [tokenTypes.Function, tokenTypes.RightParenthesis],
  [tokenTypes.LeftParenthesis, tokenTypes.RightParenthesis],
  [tokenTypes.LeftSquareBracket, tokenTypes.RightSquareBracket],
]);

/**
 * Whether a selector, a condition or a value can do nothing but describe looks. Judged by its tokens as a browser makes
 * them, so that no way of writing a thing gets past: an escape outside a quoted text is harmful by itself, and so is
 * every `<`, which could close the element that the CSS stands in, and a bracket that would reach beyond the text.
 */
export function isHarmlessText(text: string): boolean {
  if (text.includes('<')) return false;
  const open: number[] = [];
  let harmless = true;
  tokenize(text, (type, start, end) => {
    if (!harmless) return;
    const ending = endings.get(type);
    if (ending !== undefined) open.push(ending);
    const ends = type === tokenTypes.RightParenthesis || type === tokenTypes.RightSquareBracket;
    harmless = isHarmlessToken(type, text.slice(start, end)) && (!ends || open.pop() === type);
  });
  return harmless && open.length === 0;
}

function isHarmlessToken(type: number, token: string): boolean {
  if (harmfulTokens.has(type)) return false;
  if (type === tokenTypes.String) return true;
  if (token.includes('\\')) return false;
  return type !== tokenTypes.Function || harmlessFunctions.has(token.slice(0, -1).toLowerCase());
}
