import type { Palette } from '../tokens.ts';

/**
 * Dracula. Its comment tone (#6272a4) is too dark for text on its background, so muted text, quiet syntax and borders
 * of controls use lighter tones of the same blue. Red and pink are lightened for text on the raised surface.
 */
export const dracula: Palette = {
  scheme: 'dark',
  colors: {
    background: '#282a36',
    surface: '#21222c',
    raised: '#343746',
    hover: '#3b3e50',
    border: '#44475a',
    'border-strong': '#8791b9',
    text: '#f8f8f2',
    'text-muted': '#b3bad6',
    link: '#8be9fd',
    accent: '#bd93f9',
    'on-accent': '#21222c',
    focus: '#ff79c6',
    selection: '#44475a',
    danger: '#ff9580',
    'on-danger': '#21222c',
    warning: '#ffb86c',
    success: '#50fa7b',
    agent: '#ff92d0',
    'code-background': '#21222c',
    'comment-mark': '#4d4a2c',
    'comment-mark-active': '#655f2e',
    'foreign-mark': '#2b4a3a',
    added: '#24482f',
    removed: '#54303a',
    'conflict-theirs': '#2c4152',
    'conflict-mine': '#544230',
    'syntax-heading': '#bd93f9',
    'syntax-quiet': '#98a2cc',
  },
};
