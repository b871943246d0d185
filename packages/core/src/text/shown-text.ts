/** An emoji may contain joiners, selectors and tags, and still looks like what it is. */
const emoji = String.raw`\p{RGI_Emoji}`;
/** A joiner between letters of a script that uses it. */
const joined = String.raw`(?<=[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]])[\u200c\u200d](?=\p{L})`;
/** Spaces that programs and people write in names and texts: they look like one, wherever they stand. */
const spaces = String.raw`\u0020\u00a0\u202f\u3000`;
/**
 * Control characters move the cursor, colour the screen or type for the user. Characters that are invisible, change the
 * direction of text or end a line make one name look like another. A later Unicode version may give unassigned
 * characters any of these effects.
 */
const hidden = String.raw`\p{Cc}|\p{Cf}|\p{Cs}|\p{Cn}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|\u2800|[\p{Zs}--[${spaces}]]`;
const inTexts = new RegExp(`(?<kept>${emoji}|${joined})|(?:${hidden})`, 'gv');
/** At its ends a name hides spaces as well. */
const inNames = new RegExp(`(?<kept>${emoji}|${joined})|(?:${hidden})|^[${spaces}]|[${spaces}]$`, 'gv');

/** Returns another user's text for display, on one line, with hidden characters as `\u{202E}`. */
export function shownText(text: string): string {
  return marked(text, escapeOf);
}

/** The same for a text of several lines: only its line feeds stay. */
export function shownLines(text: string): string {
  return text.split('\n').map(shownText).join('\n');
}

/**
 * Returns a name for display and screen readers, with hidden characters as `\u{202E}`, also spaces at its ends. Links
 * and requests use the real name.
 */
export function shownName(name: string): string {
  return partsOfName(name)
    .map(({ text }) => text)
    .join('');
}

/** The same in parts, for a display that marks the hidden characters. */
export function partsOfName(name: string): readonly { readonly text: string; readonly isHidden: boolean }[] {
  const parts: { text: string; isHidden: boolean }[] = [];
  let end = 0;
  for (const found of name.matchAll(inNames)) {
    if (found.groups?.kept !== undefined) continue;
    if (found.index > end) parts.push({ text: name.slice(end, found.index), isHidden: false });
    parts.push({ text: escapeOf(found[0]), isHidden: true });
    end = found.index + found[0].length;
  }
  if (end < name.length) parts.push({ text: name.slice(end), isHidden: false });
  return parts;
}

/**
 * Replaces the characters that `shownText` escapes with JSON escapes, so that programs read the same values. Line feeds
 * between values stay.
 */
export function escapeJson(json: string): string {
  return marked(json, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, at) => unit(character, at)).join(''),
  );
}

function marked(text: string, mark: (character: string) => string): string {
  return text.replace(inTexts, (found, kept?: string) => (kept === undefined ? mark(found) : found));
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
}

function unit(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}
