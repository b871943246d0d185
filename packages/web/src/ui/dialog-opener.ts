import { createContext } from 'react';

/** Where the focus goes back to when a dialog closes: the first that is still there. Null where a page drew it itself. */
export const DialogOpeners = createContext<readonly HTMLElement[] | null>(null);
