import { useEffect } from 'react';
import { availableCommands, type Command } from '../ui/commands.ts';
import { openDialogs } from '../ui/dialogs.ts';
import { pressMatches } from '../ui/keys.ts';
import { singleKeys } from '../ui/single-keys.ts';

/** `g` waits this long for the key that follows it. */
const sequenceMs = 1500;

/** Runs registered commands by their keys. */
export function useShortcuts(): void {
  useEffect(() => {
    let begun: { readonly key: string; readonly atMs: number } | null = null;
    const pressed = (event: KeyboardEvent) => {
      // A dialog has its own keys, and what lies below it must not act.
      if (event.defaultPrevented || event.isComposing || isOverlaid()) return;
      const isTyping = typesText(event.target);
      const first = begun !== null && event.timeStamp - begun.atMs < sequenceMs ? begun.key : null;
      begun = null;
      const command = availableCommands().find(({ keys = [] }) =>
        keys.some((each) => matches(event, each, { first, isTyping })),
      );
      if (command !== undefined) {
        event.preventDefault();
        if ((command.disabled?.() ?? null) === null) command.run();
      } else if (!isTyping && event.key.length === 1 && startsSequence(event.key)) {
        begun = { key: event.key, atMs: event.timeStamp };
      }
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

function matches(
  event: KeyboardEvent,
  keys: string,
  { first, isTyping }: { readonly first: string | null; readonly isTyping: boolean },
): boolean {
  if (!isSingle(keys)) return (!isTyping || !editsText(keys)) && pressMatches(event, keys);
  if (isTyping || !singleKeys.get()) return false;
  const [before, then] = keys.split(' ');
  if (then === undefined) return first === null && pressMatches(event, keys);
  return first === before && pressMatches(event, then);
}

/** Keys that mean something in a field: Delete, Backspace, Enter. */
function editsText(keys: string): boolean {
  return !keys.includes('+') && keys !== 'Escape' && !/^F\d+$/.test(keys);
}

/** Keys without Mod, Alt or Ctrl that would be text in a field. */
function isSingle(keys: string): boolean {
  const last = keys.split('+').at(-1) ?? '';
  return !/(?:^|\+)(?:Mod|Alt|Ctrl)\+/.test(keys) && (keys.includes(' ') || [...last].length === 1);
}

function startsSequence(key: string): boolean {
  const begins = (command: Command) => (command.keys ?? []).some((keys) => keys.startsWith(`${key} `));
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
