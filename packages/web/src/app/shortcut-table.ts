import { shortcuts as texts } from '../text/en/shortcuts.ts';

export interface ShortcutSection {
  readonly title: string;
  readonly rows: readonly { readonly keys: readonly string[]; readonly does: string }[];
}

/** All keyboard shortcuts, by where they work. A feature with shortcuts adds its rows here. */
export const shortcutSections: readonly ShortcutSection[] = [
  {
    title: texts.everywhere,
    rows: [
      { keys: ['Mod+K', '/'], does: texts.find },
      { keys: ['Mod+Shift+F'], does: texts.findAll },
      { keys: ['?'], does: texts.showShortcuts },
      { keys: ['Mod+.'], does: texts.toggleNavigation },
      { keys: ['Mod+/'], does: texts.togglePanel },
      { keys: ['g h'], does: texts.topFolder },
      { keys: ['g a'], does: texts.activity },
      { keys: ['g c'], does: texts.conflicts },
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
      { keys: ['i'], does: texts.info },
      { keys: ['Alt+Shift+ArrowUp', 'Alt+Shift+ArrowDown'], does: texts.order },
      { keys: ['Shift+F10'], does: texts.menu },
    ],
  },
  {
    title: texts.file,
    rows: [
      { keys: ['e'], does: texts.edit },
      { keys: ['c'], does: texts.comments },
      { keys: ['h'], does: texts.history },
      { keys: ['i'], does: texts.info },
      { keys: ['j', 'k'], does: texts.threads },
      { keys: ['r'], does: texts.reply },
      { keys: ['Mod+Alt+M'], does: texts.comment },
      { keys: ['F7', 'Shift+F7'], does: texts.changes },
    ],
  },
  {
    title: texts.editor,
    rows: [
      { keys: ['Mod+S'], does: texts.save },
      { keys: ['Escape'], does: texts.backToReading },
      { keys: ['Mod+B', 'Mod+I'], does: texts.boldItalic },
      { keys: ['Mod+K'], does: texts.link },
      { keys: ['Mod+F'], does: texts.findInFile },
      { keys: ['F3', 'Shift+F3'], does: texts.findNext },
      { keys: ['Mod+Z', 'Mod+Shift+Z'], does: texts.undo },
      { keys: ['Ctrl+M'], does: texts.tabIndents },
      { keys: ['/'], does: texts.slashMenu },
      { keys: ['Mod+Alt+M'], does: texts.comment },
    ],
  },
  {
    title: texts.commentBox,
    rows: [
      { keys: ['Mod+Enter'], does: texts.post },
      { keys: ['Mod+Shift+Enter'], does: texts.replyAndResolve },
    ],
  },
];
