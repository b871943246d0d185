import { tokenize, tokenTypes } from 'css-tree';

const opening: ReadonlySet<number> = new Set([
  tokenTypes.Function,
  tokenTypes.LeftParenthesis,
  tokenTypes.LeftSquareBracket,
  tokenTypes.LeftCurlyBracket,
]);
const closing: ReadonlySet<number> = new Set([
  tokenTypes.RightParenthesis,
  tokenTypes.RightSquareBracket,
  tokenTypes.RightCurlyBracket,
]);

/** Maximum nesting of blocks and brackets. A closing token ends one level, whichever it is. */
export function nestingDepth(css: string): number {
  let depth = 0;
  let deepest = 0;
  tokenize(css, (type) => {
    if (opening.has(type)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (closing.has(type)) {
      depth = Math.max(0, depth - 1);
    }
  });
  return deepest;
}
