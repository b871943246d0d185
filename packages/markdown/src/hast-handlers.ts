import type { Element, ElementContent, Text } from 'hast';
import type * as mdast from 'mdast';
import { defaultHandlers, type Handlers } from 'mdast-util-to-hast';

/**
 * Context for creating a window's elements. Texts are passed as numbers, because the sanitiser copies `data` by value.
 */
export interface HandlerContext {
  /** Added to an offset in the parsed text to get the offset in the source. */
  readonly shift: number;
  /** Stores the origin of a text and returns its number. */
  keepText(node: object): number;
  /** Returns the offset of a task's checkbox in the parsed text. */
  boxOf(item: object): number | undefined;
  footnoteNumber(identifier: string): number;
  /** Added to the level of each heading. */
  readonly levelsDown: number;
}

/**
 * Converts Markdown nodes to elements. Raw HTML becomes text. Texts stay unchanged and get a number to find their range in the source.
 */
export function hastHandlers({
  shift,
  keepText,
  boxOf,
  footnoteNumber,
  levelsDown,
}: HandlerContext): Handlers {
  const text = (node: mdast.Text | mdast.InlineCode | mdast.Code | mdast.Html, value = node.value): Text => ({
    type: 'text',
    value,
    data: { kept: keepText(node) },
  });

  return {
    heading: (state, node: mdast.Heading): Element =>
      patched(node, `h${Math.min(node.depth + levelsDown, 6)}`, state.all(node)),
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
      const at = boxOf(node);
      const box = at === undefined ? null : firstInput(item);
      if (at !== undefined && box !== null) box.properties.dataCheckAt = at + shift;
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
