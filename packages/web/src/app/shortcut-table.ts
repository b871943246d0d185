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
      { keys: ['Mod+K', '/'], does: texts.find },
      { keys: ['?'], does: texts.showShortcuts },
      { keys: ['Mod+.'], does: texts.toggleNavigation },
      { keys: ['g h'], does: texts.topFolder },
      { keys: ['g a'], does: texts.activity },
      { keys: ['g s'], does: texts.settings },
      { keys: ['Escape'], does: texts.closeTopmost },
    ],
  },
  {
    title: texts.list,
    rows: [
      { keys: ['ArrowUp', 'ArrowDown'], does: texts.walk },
      { keys: ['Home', 'End'], does: texts.walkEnds },
      { keys: ['ArrowRight', 'ArrowLeft'], does: texts.unfold },
      { keys: ['Enter'], does: texts.open },
      { keys: ['Space'], does: texts.select },
      { keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], does: texts.selectRange },
      { keys: ['Mod+A'], does: texts.selectAll },
      { keys: ['Backspace'], does: texts.up },
      { keys: ['n'], does: texts.newFile },
      { keys: ['Shift+N'], does: texts.newFolder },
      { keys: ['u'], does: texts.upload },
      { keys: ['F2'], does: texts.rename },
      { keys: ['m'], does: texts.move },
      { keys: ['Delete'], does: texts.delete },
      { keys: ['s'], does: texts.share },
      { keys: ['p'], does: texts.private },
      { keys: ['Alt+Shift+ArrowUp', 'Alt+Shift+ArrowDown'], does: texts.order },
      { keys: ['Shift+F10'], does: texts.menu },
    ],
  },
  {
    title: texts.file,
    rows: [
      { keys: ['h'], does: texts.history },
      { keys: ['i'], does: texts.info },
      { keys: ['F7', 'Shift+F7'], does: texts.changes },
    ],
  },
];
