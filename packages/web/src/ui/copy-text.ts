import { openDialog } from './dialogs.ts';
import { notify } from './notices.ts';

/** Puts a text on the clipboard and says so; where the page may not, shows it for copying by hand. */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify({ text: said });
  } catch {
    // Over plain http there is no clipboard; elsewhere the browser may refuse it.
    openDialog({ kind: 'copy-by-hand', text });
  }
}
