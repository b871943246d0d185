import type { Palette } from '../tokens.ts';

/**
 * Nord. Polar Night's lightest tone (#4c566a) is too dark for text: muted text is between it and the light tones. Aurora's
 * red, green and purple and Frost's link tone are lightened for text.
 */
export const nord: Palette = {
  scheme: 'dark',
  colors: {
    background: '#2e3440',
    surface: '#292e39',
    raised: '#3b4252',
    hover: '#434c5e',
    border: '#4c566a',
    'border-strong': '#93a0b8',
    text: '#eceff4',
    'text-muted': '#d0d7e3',
    link: '#8fd0df',
    accent: '#88c0d0',
    'on-accent': '#2e3440',
    focus: '#8fbcbb',
    selection: '#4c5f7a',
    danger: '#f2b0b5',
    'on-danger': '#2e3440',
    warning: '#ebcb8b',
    success: '#a9c794',
    agent: '#d2b2cd',
    'code-background': '#292e39',
    'comment-mark': '#544f3c',
    'comment-mark-active': '#6b6344',
    'foreign-mark': '#3d5048',
    added: '#3c5045',
    removed: '#573d47',
    'conflict-theirs': '#3a4a63',
    'conflict-mine': '#574a40',
    'syntax-heading': '#88c0d0',
    'syntax-quiet': '#a9b4c8',
  },
};
