import { createContext } from 'react';

/**
 * Candidates for the focus after a dialog closes; the first that still exists gets it. Null if a page rendered the
 * dialog itself.
 */
export const DialogOpeners = createContext<readonly HTMLElement[] | null>(null);
