import { escapeHtml } from './escape-html.ts';

/** Emoji may contain joiners and selectors, and still look like what they are. */
const emoji = String.raw`\p{RGI_Emoji}`;
/** A joiner between letters of a script that uses it. */
const joined = String.raw`(?<=[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]])[\u200c\u200d](?=\p{L})`;
/**
 * Characters that are invisible, change the direction of text or look like a plain space. At the ends, also plain
 * spaces.
 */
const unseen = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800]|[\p{Zs}--\u0020]|^\u0020|\u0020$`;
const parts = new RegExp(`(?<kept>${emoji}|${joined})|(?:${unseen})`, 'gv');

/**
 * A name as HTML without hidden characters: `invoice<U+202E>fdp.exe` shows its mark instead of reading as a PDF. The
 * name is isolated, so that right-to-left text does not move its neighbours.
 */
export function visibleName(name: string): string {
  return `<bdi>${marked(name, (code) => `<span class="unseen">${code}</span>`)}</bdi>`;
}

/** The same where elements are impossible: titles and attributes. */
export function visibleText(name: string): string {
  return marked(name, (code) => `[${code}]`);
}

function marked(name: string, mark: (code: string) => string): string {
  let html = '';
  let end = 0;
  for (const found of name.matchAll(parts)) {
    if (found.groups?.kept !== undefined) continue;
    html += escapeHtml(name.slice(end, found.index)) + mark(codeOf(found[0]));
    end = found.index + found[0].length;
  }
  return html + escapeHtml(name.slice(end));
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
