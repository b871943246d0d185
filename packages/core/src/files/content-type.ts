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

/** Types that programs send when they do not know the type: `curl --data-binary` sends the second by default. */
const unknownTypes: ReadonlySet<string> = new Set([unknownContentType, 'application/x-www-form-urlencoded']);

/**
 * Returns the type that a file is shown with (interface: files, Content types): the stored one, or the type of the
 * extension if the stored one gives no information.
 */
export function effectiveContentType(path: string, stored: string): string {
  return unknownTypes.has(mediaTypeOf(stored)) ? guessContentType(path) : stored;
}

/** Returns the type of a moved file. A guessed type is guessed again, a chosen one is kept. */
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
// Each space can match in one position only. With two, a mismatch would try all ways to divide them.
const mediaType = new RegExp(`^${token}/${token}${space}(?:;${space}(?:${parameter}${space})?)*$`);

/** Checks for a media type of RFC 9110 in ASCII: any other could not be sent back as a header later. */
export function isMediaType(text: string): boolean {
  return text.length <= contentTypeMaxCharacters && mediaType.test(text);
}

function extensionOf(path: string): string {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Returns a content type without its parameters, in lower case. */
export function mediaTypeOf(contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().toLowerCase();
}
