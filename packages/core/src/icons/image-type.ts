export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const jpeg = [0xff, 0xd8, 0xff];
const gif = [0x47, 0x49, 0x46, 0x38];
const riff = [0x52, 0x49, 0x46, 0x46];
const webp = [0x57, 0x45, 0x42, 0x50];

/**
 * The type of an image by its first bytes, whatever its sender calls it; null for anything that is not a PNG, JPEG, GIF
 * or WebP. No SVG: it can hold scripts.
 */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  if (holdsAt(bytes, 0, png)) return 'image/png';
  if (holdsAt(bytes, 0, jpeg)) return 'image/jpeg';
  // GIF87a and GIF89a.
  if (holdsAt(bytes, 0, gif) && (bytes[4] === 0x37 || bytes[4] === 0x39) && bytes[5] === 0x61) {
    return 'image/gif';
  }
  if (holdsAt(bytes, 0, riff) && holdsAt(bytes, 8, webp)) return 'image/webp';
  return null;
}

function holdsAt(bytes: Uint8Array, offset: number, expected: readonly number[]): boolean {
  return expected.every((byte, i) => bytes[offset + i] === byte);
}
