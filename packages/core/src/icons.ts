// The server of an icon URL would learn who looks at the workspace.
import { invalidRequest } from './errors.ts';
import type { ContentHash } from './files/content.ts';

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const jpeg = [0xff, 0xd8, 0xff];
const gif = [0x47, 0x49, 0x46, 0x38];
const riff = [0x52, 0x49, 0x46, 0x46];
const webp = [0x57, 0x45, 0x42, 0x50];

/**
 * Detects the type of an image from its first bytes, whatever type its sender names. Null for anything but PNG, JPEG,
 * GIF and WebP. SVG is excluded: it can contain scripts.
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

const imageIcon = /^image:([0-9a-f]{64})$/;

/** Returns the icon value for an uploaded image. Interfaces show it as a URL. */
export function imageIconOf(contentHash: ContentHash): string {
  return `image:${contentHash}`;
}

/** Returns the hash of the uploaded image in an icon value, or null for an emoji or an icon name. */
export function imageHashOf(icon: string | null): ContentHash | null {
  return (icon === null ? undefined : (imageIcon.exec(icon)?.[1] as ContentHash | undefined)) ?? null;
}

/** Names from icon sets, with or without the set: `rocket`, `lucide:rocket`. */
const iconName = /^(?:([A-Za-z0-9-]+):)?[A-Za-z0-9_-]+$/;
/** Schemes that a browser would run or load instead of showing an icon. */
const runnableSets: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data', 'blob', 'file']);
const emojiParts = /^[\p{Emoji}\p{Emoji_Component}\p{Extended_Pictographic}]+$/u;
const emojiHeart = /[\p{Extended_Pictographic}\p{Regional_Indicator}]|\u20e3/u;

/**
 * Parses an icon that is not an image: an emoji, or the name of an icon. A client can neither run nor load it.
 * @throws WorkspaceError `invalid_request`
 */
export function parseIcon(wanted: string): string {
  const name = iconName.exec(wanted);
  if (name !== null && !runnableSets.has((name[1] ?? '').toLowerCase())) return wanted;
  if (emojiParts.test(wanted) && emojiHeart.test(wanted)) return wanted;
  throw invalidRequest('icon must be an emoji or the name of an icon (letters, digits and hyphens)');
}

/**
 * Parses an icon set by a user: an emoji, an icon name, or the present uploaded image. A URL is not allowed: shown as
 * an image, it would tell its server who looks at the workspace.
 * @throws WorkspaceError `invalid_request`
 */
export function parseWorkspaceIcon(wanted: string | null, current: string | null): string | null {
  if (wanted === null || wanted === current) return wanted;
  if (imageHashOf(wanted) !== null || /[/\\]/.test(wanted)) {
    const rule = 'icon must be an emoji or the name of an icon; to use an image, upload it';
    throw invalidRequest(rule);
  }
  return parseIcon(wanted);
}
