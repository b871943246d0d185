import { ui } from '../text/en/ui.ts';
import { notify } from './notices.ts';

/** A part of the app that is loaded when somebody needs it. Null when it does not come, which is said. */
export async function loadPart<Part>(part: Promise<Part>): Promise<Part | null> {
  try {
    return await part;
  } catch {
    // The server did not answer, or has another build by now.
    notify({ text: ui.notLoaded, failure: true });
    return null;
  }
}
