/**
 * Control characters move the cursor, colour the screen or type for the user. Bidi controls and line separators make
 * one name look like another. A later Unicode version may give unassigned characters either effect.
 */
const dangerous = /[\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns another user's text as a terminal may show it: on one line, with dangerous characters escaped. */
export function shownText(text: string): string {
  return text.replaceAll(dangerous, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The same for a text of several lines: only its line feeds stay. */
export function shownLines(text: string): string {
  return text.split('\n').map(shownText).join('\n');
}

/**
 * Replaces the same characters with JSON escapes, so that programs read the same values. Line feeds between values
 * stay.
 */
export function escapeJson(json: string): string {
  return json.replaceAll(dangerous, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, at) => unit(character, at)).join(''),
  );
}

function unit(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}
