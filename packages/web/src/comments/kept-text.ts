import { useState } from 'react';
import { currentUser } from '../api/session.ts';

/**
 * What was typed and not sent stays on this device, for the person who typed it, until it is sent or taken out.
 * @param about a thread's id, or the path of a file for a new one.
 */
export function useKeptText(workspaceId: string, about: string): readonly [string, (text: string) => void] {
  const key = `stoa.comment ${currentUser()?.id ?? ''} ${workspaceId} ${about}`;
  const [text, setText] = useState(() => read(key));
  return [
    text,
    (next) => {
      setText(next);
      write(key, next);
    },
  ];
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
