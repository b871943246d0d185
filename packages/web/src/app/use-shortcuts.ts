import { useEffect } from 'react';
import { availableCommands, type Command, perform } from '../ui/commands.ts';
import { openDialogs } from '../ui/dialogs.ts';
import { latinKey, pressMatches } from '../ui/keys.ts';
import { singleKeys } from '../ui/single-keys.ts';

/** Time to wait for the second key after `g`. */
const sequenceMs = 1500;

/** Runs registered commands by their keys. */
export function useShortcuts(): void {
  useEffect(() => {
    let begun: { readonly key: string; readonly atMs: number } | null = null;
    /** Captures the second key of a sequence before the focused list or tree handles it. */
    const completed = (event: KeyboardEvent) => {
      const first = begun !== null && event.timeStamp - begun.atMs < sequenceMs ? begun.key : null;
      begun = null;
      if (first === null || event.isComposing || isOverlaid() || typesText(event.target)) return;
      const command = availableCommands().find(({ keys = [] }) =>
        keys.some((each) => completes(event, each, first)),
      );
      if (command === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      perform(command);
    };
    const pressed = (event: KeyboardEvent) => {
      // A dialog has its own keys, and the page below it must not react.
      if (event.defaultPrevented || event.isComposing || isOverlaid()) return;
      const isTyping = typesText(event.target);
      const command = availableCommands().find(({ keys = [] }) =>
        keys.some((each) => matches(event, each, isTyping)),
      );
      if (command !== undefined) {
        event.preventDefault();
        perform(command);
      } else if (!isTyping && startsSequence(event)) {
        begun = { key: latinKey(event), atMs: event.timeStamp };
      }
    };
    document.addEventListener('keydown', completed, { capture: true });
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('keydown', completed, { capture: true });
      document.removeEventListener('keydown', pressed);
    };
  }, []);
}

function matches(event: KeyboardEvent, keys: string, isTyping: boolean): boolean {
  if (isSingle(keys)) return !isTyping && singleKeys.get() && pressMatches(event, keys);
  return (!isTyping || !editsText(keys)) && pressMatches(event, keys);
}

function completes(event: KeyboardEvent, keys: string, first: string): boolean {
  const [before, then] = keys.split(' ');
  return singleKeys.get() && then !== undefined && first === before && pressMatches(event, then);
}

/** Keys with a function in text fields: Delete, Backspace, Enter. */
function editsText(keys: string): boolean {
  return !keys.includes('+') && keys !== 'Escape' && !/^F\d+$/.test(keys);
}

/** Keys without Mod, Alt or Ctrl, which would insert text in a field. */
function isSingle(keys: string): boolean {
  const last = keys.split('+').at(-1) ?? '';
  return !/(?:^|\+)(?:Mod|Alt|Ctrl)\+/.test(keys) && (keys.includes(' ') || [...last].length === 1);
}

function startsSequence(event: KeyboardEvent): boolean {
  const begins = ({ keys = [] }: Command) =>
    keys.some((each) => each.includes(' ') && pressMatches(event, each.split(' ')[0] ?? ''));
  return availableCommands().some(begins);
}

function isOverlaid(): boolean {
  return openDialogs.get().length > 0 || document.querySelector('[role="dialog"],[role="menu"]') !== null;
}

function typesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return target instanceof HTMLInputElement && !/^(?:checkbox|radio|button|submit|range)$/.test(target.type);
}
