import { useRef, useState } from 'react';
import { currentUser } from '../api/session.ts';

export interface KeptText {
  readonly text: string;
  set(text: string): void;
  /** This much of it is on the server: what was typed since stays. */
  sent(text: string): void;
}

/**
 * What was typed and not sent stays on this device, for the person who typed it, until it is sent or taken out.
 * @param about a thread's id, or the path of a file for a new one.
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

/** Browsers may refuse to keep anything: then it holds while the page is open. */
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
