import { type KeyboardEvent, type RefObject, useRef } from 'react';
import type { Entry } from '../api/listing-index.ts';
import { singleKeys } from '../ui/single-keys.ts';
import {
  clearSelection,
  extendTo,
  rowAt,
  type Selection,
  type Step,
  selectAll,
  toggle,
  typeAhead,
} from './selection.ts';

/** Letters typed within this time are one beginning of a name. */
const typeAheadMs = 800;
/** Letters that do something by themselves begin no name, as long as they do. */
const commandLetters = new Set(['n', 'u', 'm', 's', 'p', 'i', 'g']);

const steps: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
  PageUp: 'page-up',
  PageDown: 'page-down',
};

interface GridKeys {
  readonly entries: readonly Entry[];
  readonly rows: readonly string[];
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly selection: Selection;
  onSelect(change: (before: Selection) => Selection): void;
  onOpen(path: string): void;
  onMenu(path: string, at: null): void;
  onKey(event: KeyboardEvent, path: string): boolean;
}

/** The keys of the list. What acts on items beyond it is the page's. */
export function useGridKeys(props: GridKeys): (event: KeyboardEvent<HTMLDivElement>) => void {
  const typed = useRef({ text: '', atMs: 0 });

  return (event) => {
    const { rows, entries, selection, onSelect } = props;
    const row =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[role="row"][data-path]') : null;
    const path = row?.dataset.path;
    if (event.nativeEvent.isComposing) return;
    const handled = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (path === undefined || row === null) return;
    if (props.onKey(event, path)) return handled();
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const step = steps[event.key];
    if (step !== undefined && plain) {
      const to = rowAt(rows, path, step);
      if (to !== null) {
        onSelect((before) =>
          event.shiftKey
            ? extendTo({ ...before, anchor: before.anchor ?? path }, rows, to)
            : { ...before, focus: to, anchor: to },
        );
      }
      return handled();
    }
    if ((event.key === 'ArrowRight' || event.key === 'ArrowLeft') && plain) {
      moveWithin(row, event.key === 'ArrowRight' ? 1 : -1);
      return handled();
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      onSelect((before) => selectAll(before, rows));
      return handled();
    }
    if (event.key === 'Escape' && selection.selected.size > 0) {
      onSelect(clearSelection);
      return handled();
    }
    if ((event.key === 'F10' && event.shiftKey) || event.key === 'ContextMenu') {
      props.onMenu(path, null);
      return handled();
    }
    // The controls of a row have Enter and Space for themselves.
    if (event.target !== row) return;
    if (event.key === 'Enter' && plain) {
      props.onOpen(path);
      return handled();
    }
    if (event.key === ' ') {
      onSelect((before) => toggle(before, path));
      return handled();
    }
    if (plain && [...event.key].length === 1) {
      const nowMs = event.timeStamp;
      const goesOn = nowMs - typed.current.atMs < typeAheadMs && typed.current.text !== '';
      if (
        !goesOn &&
        singleKeys.get() &&
        (commandLetters.has(event.key.toLowerCase()) || /[/?]/.test(event.key))
      )
        return;
      const text = (goesOn ? typed.current.text : '') + event.key;
      typed.current = { text, atMs: nowMs };
      const to = typeAhead(entries, path, text);
      if (to !== null) onSelect((before) => ({ ...before, focus: to, anchor: to }));
      return handled();
    }
  };
}

/** From the row to its controls, one after the other, and back. */
function moveWithin(row: HTMLElement, by: 1 | -1): void {
  const stops = [row, ...row.querySelectorAll<HTMLElement>('input, a, button')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.min(Math.max(at + by, 0), stops.length - 1)]?.focus();
}
