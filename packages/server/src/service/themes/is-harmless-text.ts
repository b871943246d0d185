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

/** The closing token of an opening one. */
const endings: ReadonlyMap<number, number> = new Map([
  [tokenTypes.Function, tokenTypes.RightParenthesis],
  [tokenTypes.LeftParenthesis, tokenTypes.RightParenthesis],
  [tokenTypes.LeftSquareBracket, tokenTypes.RightSquareBracket],
]);

/**
 * Whether a selector, a condition or a value only describes looks. It checks the tokens as a browser reads them, so
 * that no alternative notation gets past. It rejects every escape outside a quoted text. It also rejects every `<`,
 * which could close the element around the CSS, and every unbalanced bracket.
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
