import type { Element, ElementContent, Text } from 'hast';
import type * as mdast from 'mdast';
import { defaultHandlers, type Handlers } from 'mdast-util-to-hast';

/** What a window's elements are made with. Numbers stand for texts, as the sanitiser copies `data` by value. */
export interface HandlerContext {
  readonly source: string;
  /** Added to an offset of the parsed text for that of the source. */
  readonly shift: number;
  /** Keeps where a text came from, and answers its number. */
  keepText(node: object): number;
  footnoteNumber(identifier: string): number;
}

/**
 * Markdown's nodes as elements: headings one level down, as the page's own is the file's name; raw HTML as text; texts unchanged,
 * with a number by which their place in the source is found again.
 */
export function hastHandlers({ source, shift, keepText, footnoteNumber }: HandlerContext): Handlers {
  const text = (node: mdast.Text | mdast.InlineCode | mdast.Code | mdast.Html, value = node.value): Text => ({
    type: 'text',
    value,
    data: { kept: keepText(node) },
  });

  return {
    heading: (state, node: mdast.Heading): Element =>
      patched(node, `h${Math.min(node.depth + 1, 6)}`, state.all(node)),
    text: (_state, node: mdast.Text) => text(node),
    inlineCode: (_state, node: mdast.InlineCode) =>
      patched(node, 'code', [text(node, node.value.replaceAll(/[\r\n]/g, ' '))]),
    code(_state, node: mdast.Code) {
      const code = patched(node, 'code', [text(node)]);
      const [language] = (node.lang ?? '').split(/\s/, 1);
      if (language) code.properties.dataLanguage = language;
      return patched(node, 'pre', [code]);
    },
    html: (_state, node: mdast.Html, parent) =>
      parent !== undefined && flowParents.has(parent.type) ? patched(node, 'html', [text(node)]) : text(node),
    listItem(state, node: mdast.ListItem, parent) {
      const item = defaultHandlers.listItem(state, node, parent) as Element;
      const paragraph = node.children[0];
      if (typeof node.checked !== 'boolean' || paragraph?.position?.start.offset === undefined) return item;
      const box = firstInput(item);
      const bracket = source.lastIndexOf('[', paragraph.position.start.offset + shift - 1);
      if (box !== null && bracket !== -1) box.properties.dataCheckAt = bracket + 1;
      return item;
    },
    footnoteReference(_state, node: mdast.FootnoteReference) {
      const number = footnoteNumber(node.identifier);
      const link = patched(node, 'a', [{ type: 'text', value: String(number) }]);
      link.properties.dataFootnote = number;
      return patched(node, 'sup', [link]);
    },
  };
}

const flowParents: ReadonlySet<string> = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition']);

function patched(node: mdast.Nodes, tagName: string, children: ElementContent[]): Element {
  const { position } = node;
  return {
    type: 'element',
    tagName,
    properties: {},
    children,
    ...(position === undefined ? {} : { position }),
  };
}

function firstInput(element: Element): Element | null {
  for (const child of element.children) {
    if (child.type !== 'element') continue;
    if (child.tagName === 'input') return child;
    const found = child.tagName === 'p' ? firstInput(child) : null;
    if (found !== null) return found;
  }
  return null;
}
