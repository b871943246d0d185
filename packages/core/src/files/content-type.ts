import { contentTypeMaxCharacters } from '../limits.ts';
import { fileNameOf } from '../workspace-path.ts';

const typeByExtension: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['txt', 'text/plain'],
  ['json', 'application/json'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['ts', 'text/typescript'],
  ['csv', 'text/csv'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
]);

const unknownContentType = 'application/octet-stream';

/** The type for a path's extension, in upper or lower case. */
export function guessContentType(path: string): string {
  return typeByExtension.get(extensionOf(path)) ?? unknownContentType;
}

/** The type a moved file has: a type that was only guessed is guessed again, a chosen one is kept. */
export function contentTypeAfterMove(stored: string, from: string, to: string): string {
  return stored === guessContentType(from) ? guessContentType(to) : stored;
}

export function isMarkdown(path: string, contentType: string): boolean {
  const extension = extensionOf(path);
  return extension === 'md' || extension === 'markdown' || /^text\/markdown\s*(;|$)/i.test(contentType);
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const parameter = `${token}=(?:${token}|"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\t \\x21-\\x7e])*")`;
const space = '[ \\t]*';
// Each space can be taken in one place only: with two, a refusal would try all ways to share them out.
const mediaType = new RegExp(`^${token}/${token}${space}(?:;${space}(?:${parameter}${space})?)*$`);

/** A media type of RFC 9110 in ASCII: anything else could not be sent back as a header later. */
export function isMediaType(text: string): boolean {
  return text.length <= contentTypeMaxCharacters && mediaType.test(text);
}

function extensionOf(path: string): string {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** A content type without its parameters, in lower case. */
export function mediaTypeOf(contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().toLowerCase();
}
