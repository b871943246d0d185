import { openDialog } from './dialogs.ts';
import { notify } from './notices.ts';

/** Copies a text to the clipboard and confirms it. If that is not allowed, shows the text for copying by hand. */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify({ text: said });
  } catch {
    // Plain http has no clipboard API; elsewhere the browser may deny access.
    openDialog({ kind: 'copy-by-hand', text });
  }
}
