import { shortcuts as texts } from '../text/en/shortcuts.ts';

export interface ShortcutSection {
  readonly title: string;
  readonly rows: readonly { readonly keys: readonly string[]; readonly does: string }[];
}

/** All keys, by where they work. A part that brings keys adds its rows here. */
export const shortcutSections: readonly ShortcutSection[] = [
  {
    title: texts.everywhere,
    rows: [
      { keys: ['?'], does: texts.showShortcuts },
      { keys: ['Mod+.'], does: texts.toggleNavigation },
      { keys: ['g h'], does: texts.topFolder },
      { keys: ['Escape'], does: texts.closeTopmost },
    ],
  },
];
