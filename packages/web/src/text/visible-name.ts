const odd = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Joiners and variation selectors are used by emoji and by several scripts. */
const harmless = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f']);

/**
 * A name for display and screen readers. Shows bidirectional controls and invisible characters as `\u{202E}`, so that
 * no name can imitate another. Links and requests use the real name.
 */
export function visibleName(name: string): string {
  return name.replace(odd, (mark) =>
    harmless.has(mark) ? mark : `\\u{${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
}
