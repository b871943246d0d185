/** The themes by their names: in the workspace's settings and in a person's preferences. */
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
