/** Maximum size of a picture in a `data:` address that is shown. 1 MiB. */
export const dataPictureMaxBytes = 1024 * 1024;

/** Excludes SVG, because it is a document of its own. */
const rasterHead = /^data:image\/(?:png|jpeg|gif|webp|avif)(?:;[^;,]*)*;base64$/i;

/**
 * Returns whether a `data:` address is a picture to show in a text, one that is too large, or something else; null for
 * any other address.
 */
export function judgeDataPicture(address: string): 'picture' | 'too_large' | 'other' | null {
  const text = address.trimStart();
  if (!/^data:/i.test(text)) return null;
  const comma = text.indexOf(',');
  if (comma === -1 || comma > 200 || !rasterHead.test(text.slice(0, comma))) return 'other';
  const units = text.length - comma - 1 - (/={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0);
  return Math.floor((units * 3) / 4) <= dataPictureMaxBytes ? 'picture' : 'too_large';
}
