/** Theme names, for the workspace settings and the user's preferences. */
export const themeNames = {
  system: 'Follow the system',
  light: 'Light',
  dark: 'Dark',
  dracula: 'Dracula',
  nord: 'Nord',
  'solarized-light': 'Solarized Light',
  'rose-pine': 'Rosé Pine',
  service: 'Stoa',
} as const;
