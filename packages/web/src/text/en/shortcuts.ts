/** The keys, as the overlay lists them. Each part adds its own when it comes. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  keys: 'Keys',
  does: 'Does',
  singleKeysAreOff: 'Single keys are switched off in your profile.',
  everywhere: 'Everywhere',
  showShortcuts: 'Keyboard shortcuts',
  toggleNavigation: 'Show or hide the navigation',
  closeTopmost: 'Close what is on top',
  topFolder: 'Top folder',
} as const;
