const odd = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Joiners and variation selectors belong to emoji and to several scripts. */
const harmless = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f']);

/**
 * A name as it is shown and read out: marks that turn text round or cannot be seen stand as `\u{202E}`, so that one name
 * cannot pass for another. Links and requests use the real name.
 */
export function visibleName(name: string): string {
  return name.replace(odd, (mark) =>
    harmless.has(mark) ? mark : `\\u{${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
}
