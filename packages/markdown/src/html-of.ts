import type { Root } from 'hast';
import { toHtml } from 'hast-util-to-html';

/** Returns a tree as HTML that ends with a line end; empty for an empty tree. */
export function htmlOf(root: Root): string {
  if (root.children.length === 0) return '';
  return `${toHtml(root, { closeSelfClosing: true, characterReferences: { useNamedReferences: true } })}\n`;
}
