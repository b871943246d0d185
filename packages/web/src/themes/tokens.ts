/** The colours of the app by what they are for. Components use these alone, as `--stoa-{token}`. */
export const colorTokens = [
  'background',
  'surface',
  'raised',
  'hover',
  'border',
  'border-strong',
  'text',
  'text-muted',
  'link',
  'accent',
  'on-accent',
  'focus',
  'selection',
  'danger',
  'on-danger',
  'warning',
  'success',
  'agent',
  'code-background',
  'comment-mark',
  'comment-mark-active',
  'foreign-mark',
  'added',
  'removed',
  'conflict-theirs',
  'conflict-mine',
  'syntax-heading',
  'syntax-quiet',
] as const;
export type ColorToken = (typeof colorTokens)[number];

export interface Palette {
  /** How the browser draws its own parts: scrollbars, the arrows of selects. */
  readonly scheme: 'light' | 'dark';
  /** `#rrggbb`. */
  readonly colors: Readonly<Record<ColorToken, `#${string}`>>;
}
