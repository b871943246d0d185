import { isWithin } from '@stoa/core';
import { useEffect, useRef } from 'react';
import { folderAddress } from '../api/addresses.ts';
import { folderOf } from '../api/listing-index.ts';
import { serverResponds } from '../store/store.ts';
import { ui } from '../text/en/ui.ts';
import { notify } from '../ui/notices.ts';
import { droppedFiles } from './dropped-files.ts';
import type { FilesContext } from './files-context.ts';
import { locationItem, moveItems, upload } from './on-demand.ts';
import { movesInto } from './work-plan.ts';

/**
 * Drag and drop for the whole page. Elements with `data-drop-folder` accept files from outside and items of the page;
 * `main` accepts them for the current folder. Rows with `data-drop-row` can be reordered.
 */

/** Items dragged within the page; empty for a drag from outside. */
let dragged: readonly string[] = [];

const itemsType = 'application/x-stoa-items';
/** Hovering over a folder for this long opens it. */
const openAfterMs = 600;

export function startDrag(event: React.DragEvent, paths: readonly string[]): void {
  dragged = paths;
  event.dataTransfer.setData(itemsType, '');
  event.dataTransfer.setData('text/plain', paths.join('\n'));
  event.dataTransfer.effectAllowed = 'copyMove';
}

export function endDrag(): void {
  dragged = [];
}

type Target =
  | { readonly kind: 'into'; readonly folder: string; readonly element: HTMLElement }
  | {
      readonly kind: 'beside';
      readonly path: string;
      readonly side: 'before' | 'after';
      readonly element: HTMLElement;
    };

/** Asks the tree, which listens, to expand a folder. */
export const unfoldEvent = 'stoa-unfold';

export function useFileDrops(context: FilesContext, shownFolder: string): void {
  const latest = useRef({ context, shownFolder });
  latest.current = { context, shownFolder };
  useEffect(() => {
    let marked: { readonly element: HTMLElement; readonly mark: string } | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function mark(target: Target | null): void {
      const value = target === null ? '' : target.kind === 'into' ? 'into' : target.side;
      if (marked?.element === target?.element && marked?.mark === value) return;
      clearTimeout(timer);
      if (marked !== null) delete marked.element.dataset.drop;
      marked = null;
      if (target === null) return;
      target.element.dataset.drop = value;
      marked = { element: target.element, mark: value };
      if (target.kind === 'into' && target.element.dataset.dropFolder !== undefined) {
        timer = setTimeout(() => open(target), openAfterMs);
      }
    }

    function open({ folder, element }: Extract<Target, { kind: 'into' }>): void {
      const { context: files, shownFolder: shown } = latest.current;
      if (element.role === 'treeitem')
        element.dispatchEvent(new CustomEvent(unfoldEvent, { bubbles: true, detail: folder }));
      else if (folder !== shown) files.go(folderAddress(files.workspaceId, folder));
    }

    const over = (event: DragEvent) => {
      const target = targetOf(event, latest.current.shownFolder);
      mark(target);
      if (target === null) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = isFromOutside(event) ? 'copy' : 'move';
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) mark(null);
    };
    const drop = (event: DragEvent) => {
      const { context: files, shownFolder: shown } = latest.current;
      const target = targetOf(event, shown);
      mark(null);
      const paths = dragged;
      dragged = [];
      if (target === null || event.dataTransfer === null) return;
      event.preventDefault();
      if (!serverResponds.get()) {
        notify({ text: ui.notWhileOffline });
        return;
      }
      if (paths.length === 0) {
        if (target.kind !== 'into') return;
        const error = files.readOnlyBecause();
        if (error !== null) notify({ text: error });
        else void upload(files.workspaceId, target.folder, droppedFiles(event.dataTransfer));
      } else if (target.kind === 'into') void moveItems(files, movesInto(paths, target.folder));
      else {
        const [path] = paths;
        const { side, path: alongside } = target;
        if (path === undefined) return;
        void locationItem(files, path, side === 'before' ? { before: alongside } : { after: alongside });
      }
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    document.addEventListener('dragend', endDrag);
    return () => {
      mark(null);
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
      document.removeEventListener('dragend', endDrag);
    };
  }, []);
}

function isFromOutside(event: DragEvent): boolean {
  return dragged.length === 0 && event.dataTransfer?.types.includes('Files') === true;
}

function targetOf(event: DragEvent, shownFolder: string): Target | null {
  const outside = isFromOutside(event);
  if (!outside && dragged.length === 0) return null;
  if (!(event.target instanceof Element)) return null;
  const row = event.target.closest<HTMLElement>('[data-drop-row]');
  const side = row === null || outside ? null : sideOf(event, row);
  if (row !== null && side !== null) {
    return { kind: 'beside', path: row.dataset.dropRow ?? '', side, element: row };
  }
  const holder = event.target.closest<HTMLElement>('[data-drop-folder]');
  const folder = holder?.dataset.dropFolder;
  if (holder !== null && folder !== undefined) {
    return outside || mayGoInto(folder) ? { kind: 'into', folder, element: holder } : null;
  }
  const main = event.target.closest<HTMLElement>('main');
  if (main === null || !(outside || mayGoInto(shownFolder))) return null;
  return { kind: 'into', folder: shownFolder, element: main };
}

/** Whether the dragged items may move there: not into themselves, nor to their current folder. */
function mayGoInto(folder: string): boolean {
  return dragged.every((path) => !(folder !== '' && isWithin(folder, path)) && folderOf(path) !== folder);
}

/**
 * Near the edge of a row in the same folder, the drop reorders. In the middle of a folder's row it moves items into the
 * folder.
 */
function sideOf(event: DragEvent, row: HTMLElement): 'before' | 'after' | null {
  const [only] = dragged;
  const path = row.dataset.dropRow ?? '';
  if (only === undefined || dragged.length > 1 || only === path || folderOf(only) !== folderOf(path))
    return null;
  const box = row.getBoundingClientRect();
  const part = (event.clientY - box.top) / box.height;
  const edge = row.dataset.dropFolder === undefined ? 0.5 : 0.25;
  if (part < edge) return 'before';
  return part > 1 - edge ? 'after' : null;
}
