import { type KeyboardEvent, useRef } from 'react';
import { latinKey } from '../ui/keys.ts';
import { singleKeys } from '../ui/single-keys.ts';

/** Letters typed within this time form one prefix. */
const typeAheadMs = 800;
/** Single-key commands start no name while they are enabled. */
const commandKeys = /^[nugmspi/?]$/i;

export interface TypedName {
  /** Whether this letter continues a recent prefix, so it runs no command. */
  goesOn(event: KeyboardEvent): boolean;
  /** Adds this letter to the prefix and returns it; null for a key that is not part of a name. */
  next(event: KeyboardEvent): string | null;
}

/** Type-ahead: collects letters typed in a list or a tree as the prefix of a name. */
export function useTypedName(): TypedName {
  const typed = useRef({ text: '', atMs: 0 });
  const goesOn = (event: KeyboardEvent): boolean =>
    isLetter(event) && typed.current.text !== '' && event.timeStamp - typed.current.atMs < typeAheadMs;
  return {
    goesOn,
    next: (event) => {
      const isMore = goesOn(event);
      if (!isLetter(event) || (!isMore && singleKeys.get() && commandKeys.test(latinKey(event)))) return null;
      typed.current = { text: (isMore ? typed.current.text : '') + event.key, atMs: event.timeStamp };
      return typed.current.text;
    },
  };
}

function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && key !== ' ' && [...key].length === 1;
}
