import { ui } from '../text/en/ui.ts';
import { notify } from './notices.ts';

/** Loads a part of the app on demand. Returns null on failure, after a notice. */
export async function loadPart<Part>(part: Promise<Part>): Promise<Part | null> {
  try {
    return await part;
  } catch {
    // The server did not respond, or has a different build by now.
    notify({ text: ui.notLoaded, failure: true });
    return null;
  }
}
