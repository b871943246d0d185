import type { Palette } from '../tokens.ts';

/**
 * Solarized Light. Its body tones (#657b83, #586e75) and accents are too light for text on base3. Text is base02; muted
 * text and accents are darker tones of the same hues.
 */
export const solarizedLight: Palette = {
  scheme: 'light',
  colors: {
    background: '#fdf6e3',
    surface: '#f5eed9',
    raised: '#fffaeb',
    hover: '#eee8d5',
    border: '#ddd6c1',
    'border-strong': '#7f8a8a',
    text: '#073642',
    'text-muted': '#4b5f66',
    link: '#1a5f94',
    accent: '#1b6297',
    'on-accent': '#fdf6e3',
    focus: '#1f6ea8',
    selection: '#d5e2dc',
    danger: '#b0251f',
    'on-danger': '#fdf6e3',
    warning: '#7b5a00',
    success: '#566100',
    agent: '#5558a5',
    'code-background': '#f5eed9',
    'comment-mark': '#f6e5a6',
    'comment-mark-active': '#efd36f',
    'foreign-mark': '#dfe5bd',
    added: '#dde6bb',
    removed: '#f6d5c6',
    'conflict-theirs': '#d6e4e6',
    'conflict-mine': '#f5dfbd',
    'syntax-heading': '#9a3a0e',
    'syntax-quiet': '#5a6e75',
  },
};
