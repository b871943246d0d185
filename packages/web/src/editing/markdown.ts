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

/** Paragraphs up to this length are parsed in one go; UTF-16 units. */
const inlineWholeMax = 8 * 1024;
const inlineChunk = 4 * 1024;
/** The rest of a longer paragraph is shown without marks. */
const inlineMax = 64 * 1024;

/**
 * Bounds the parser's work per paragraph: for every key it compares each link and mark with all previous ones. Longer
 * paragraphs are parsed in chunks, so only marks across a cut are lost.
 */
export function inChunks<Result>(
  parse: (text: string, offset: number) => Result[],
): (text: string, offset: number) => Result[] {
  return (text, offset) => {
    if (text.length <= inlineWholeMax) return parse(text, offset);
    const found: Result[] = [];
    const end = Math.min(text.length, inlineMax);
    for (let from = 0; from < end; ) {
      const space = text.lastIndexOf(' ', from + inlineChunk);
      const to = Math.min(end, space > from ? space + 1 : from + inlineChunk);
      for (const each of parse(text.slice(from, to), offset + from)) found.push(each);
      from = to;
    }
    return found;
  };
}

const configured = parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]);
configured.parseInline = inChunks(configured.parseInline.bind(configured));

/** Markdown with the same dialect as the reading view. Other languages stay plain, because this is not a code editor. */
const language = new Language(data, configured, [], 'markdown');

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
