// Published palettes have tones that are illegible as text. One list of pairs checks every theme; a token without a
// pair fails the test.
import type { ColorToken } from '@stoa/core';

/** Foreground and background colours used together in the app, with their minimum contrast (WCAG 2.2). */
export const contrastPairs: readonly {
  readonly front: ColorToken;
  readonly backs: readonly ColorToken[];
  /** 4.5 for text; 3 for non-text: borders of controls, the focus ring, icons. */
  readonly ratio: 4.5 | 3;
}[] = [
  {
    front: 'text',
    backs: [
      'background',
      'surface',
      'raised',
      'hover',
      'selection',
      'code-background',
      'comment-mark',
      'comment-mark-active',
      'foreign-mark',
      'added',
      'removed',
      'conflict-theirs',
      'conflict-mine',
    ],
    ratio: 4.5,
  },
  { front: 'text-muted', backs: ['background', 'surface', 'raised', 'hover'], ratio: 4.5 },
  { front: 'link', backs: ['background', 'surface', 'raised', 'hover', 'code-background'], ratio: 4.5 },
  { front: 'danger', backs: ['background', 'surface', 'raised', 'hover'], ratio: 4.5 },
  { front: 'warning', backs: ['background', 'surface', 'raised'], ratio: 4.5 },
  { front: 'success', backs: ['background', 'surface', 'raised'], ratio: 4.5 },
  { front: 'agent', backs: ['background', 'surface', 'raised'], ratio: 4.5 },
  { front: 'syntax-heading', backs: ['background', 'code-background'], ratio: 4.5 },
  { front: 'syntax-quiet', backs: ['background', 'code-background'], ratio: 4.5 },
  { front: 'on-accent', backs: ['accent'], ratio: 4.5 },
  { front: 'on-danger', backs: ['danger'], ratio: 4.5 },
  { front: 'accent', backs: ['background', 'surface', 'raised'], ratio: 3 },
  { front: 'border-strong', backs: ['background', 'surface', 'raised'], ratio: 3 },
  { front: 'focus', backs: ['background', 'surface', 'raised', 'hover'], ratio: 3 },
];

/** From 1 (the same colour) to 21 (black on white). */
export function contrastRatio(front: string, back: string): number {
  const [lighter = 0, darker = 0] = [luminance(front), luminance(back)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
