import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  languageDataProp,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';

const data = defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } });

/** Markdown as the reading view reads it. Other languages stay plain: this is no program editor. */
const language = new Language(
  data,
  parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  'markdown',
);

const style = HighlightStyle.define([
  { tag: tags.heading1, class: 'editor-heading editor-heading-1' },
  { tag: tags.heading2, class: 'editor-heading editor-heading-2' },
  { tag: tags.heading3, class: 'editor-heading' },
  { tag: [tags.heading4, tags.heading5, tags.heading6], class: 'editor-heading' },
  { tag: tags.strong, class: 'editor-strong' },
  { tag: tags.emphasis, class: 'editor-emphasis' },
  { tag: tags.strikethrough, class: 'editor-strikethrough' },
  { tag: tags.monospace, class: 'editor-code' },
  { tag: [tags.link, tags.url], class: 'editor-link' },
  {
    tag: [tags.processingInstruction, tags.contentSeparator, tags.meta, tags.comment],
    class: 'editor-quiet',
  },
]);

export const markdown: Extension = [language.extension, syntaxHighlighting(style)];
