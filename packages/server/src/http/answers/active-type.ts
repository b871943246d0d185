/** Types that a browser only ever shows or saves. Whatever is not named here is handed out as a download. */
const inertTypes: ReadonlySet<string> = new Set([
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
  'application/octet-stream',
  'application/zip',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);

/** True for a type that could act in a browser: a page, a script, a style sheet, an image with scripts in it. */
export function isActiveType(contentType: string): boolean {
  const [type = ''] = contentType.split(';', 1);
  const name = type.trim().toLowerCase();
  return !inertTypes.has(name) && !name.startsWith('audio/') && !name.startsWith('video/');
}
