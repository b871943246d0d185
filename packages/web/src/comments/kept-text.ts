import { useRef, useState } from 'react';
import { currentUser } from '../api/session.ts';

export interface KeptText {
  readonly text: string;
  set(text: string): void;
  /** `text` is on the server: only what was typed since is kept. */
  sent(text: string): void;
}

/**
 * Keeps an unsent text on this device, for its user, until it is sent or deleted.
 * @param about a thread's id, or the path of a file for a new thread.
 */
export function useKeptText(workspaceId: string, about: string): KeptText {
  const key = `stoa.comment ${currentUser()?.id ?? ''} ${workspaceId} ${about}`;
  const [text, setText] = useState(() => read(key));
  const latest = useRef(text);
  const set = (next: string): void => {
    latest.current = next;
    setText(next);
    write(key, next);
  };
  const sent = (what: string): void => {
    const now = latest.current;
    set(now.startsWith(what) ? now.slice(what.length).trimStart() : now);
  };
  return { text, set, sent };
}

/** Storage may be unavailable: then the text is kept while the page is open. */
function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    return;
  }
}
