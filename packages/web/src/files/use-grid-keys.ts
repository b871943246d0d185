import type { KeyboardEvent, RefObject } from 'react';
import type { Entry } from '../api/listing-index.ts';
import { pressMatches } from '../ui/keys.ts';
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
import { useTypedName } from './use-typed-name.ts';

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

/** The keys of the list. The page handles keys that act on items. */
export function useGridKeys(props: GridKeys): (event: KeyboardEvent<HTMLDivElement>) => void {
  const typedName = useTypedName();

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
    if (!typedName.goesOn(event) && props.onKey(event, path)) return handled();
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
    if (pressMatches(event.nativeEvent, 'Mod+A')) {
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
    // The controls of a row handle Enter and Space themselves.
    if (event.target !== row) return;
    if (event.key === 'Enter' && plain) {
      props.onOpen(path);
      return handled();
    }
    if (event.key === ' ') {
      onSelect((before) => toggle(before, path));
      return handled();
    }
    const name = typedName.next(event);
    if (name !== null) {
      const to = typeAhead(entries, path, name);
      if (to !== null) onSelect((before) => ({ ...before, focus: to, anchor: to }));
      return handled();
    }
  };
}

/** Moves the focus between a row and its controls. */
function moveWithin(row: HTMLElement, by: 1 | -1): void {
  const stops = [row, ...row.querySelectorAll<HTMLElement>('input, a, button')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.min(Math.max(at + by, 0), stops.length - 1)]?.focus();
}
