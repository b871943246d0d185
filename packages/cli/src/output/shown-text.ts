/**
 * Control characters move the cursor, colour the screen or answer for the person; bidi controls and line separators make
 * one name look like another; what is unassigned today may do either tomorrow.
 */
const dangerous = /[\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text that somebody else could choose, as a terminal may show it: on one line, and nothing in it that acts. */
export function shownText(text: string): string {
  return text.replaceAll(dangerous, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
