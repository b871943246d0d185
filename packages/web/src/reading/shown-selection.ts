import type { ShownLocation } from './quote-selection.ts';

/** The selection in an article, as positions in its blocks. */
export interface ShownSelection {
  readonly from: ShownLocation;
  readonly to: ShownLocation;
}

/** Null if nothing in the article is selected. */
export function shownSelection(article: HTMLElement, selection: Selection | null): ShownSelection | null {
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(article)) return null;
  const from =
    locationOf(article, range.startContainer, range.startOffset) ?? edgeOf(article, range, 'first');
  const to = locationOf(article, range.endContainer, range.endOffset) ?? edgeOf(article, range, 'last');
  return from === null || to === null ? null : { from, to };
}

function locationOf(article: HTMLElement, node: Node, offset: number): ShownLocation | null {
  const element = node instanceof Element ? node : node.parentElement;
  const block = element?.closest<HTMLElement>('[data-block]') ?? null;
  if (block === null || !article.contains(block)) return null;
  const before = document.createRange();
  before.setStart(block, 0);
  before.setEnd(node, offset);
  return { block: Number(block.dataset.block), unit: shownUnits(before) };
}

/** The first or last block of a selection that starts or ends between blocks or outside the article. */
function edgeOf(article: HTMLElement, range: Range, edge: 'first' | 'last'): ShownLocation | null {
  const blocks = [...article.querySelectorAll<HTMLElement>('[data-block]')];
  const isIn = (block: HTMLElement): boolean => range.intersectsNode(block);
  const block = edge === 'first' ? blocks.find(isIn) : blocks.findLast(isIn);
  if (block === undefined) return null;
  return { block: Number(block.dataset.block), unit: edge === 'first' ? 0 : Number.MAX_SAFE_INTEGER };
}

/** Counts units of the file's own text, without additions of the app. */
function shownUnits(range: Range): number {
  const part = range.cloneContents();
  for (const extra of part.querySelectorAll('[data-extra]')) extra.remove();
  return part.textContent?.length ?? 0;
}
