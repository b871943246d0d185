import { createContext } from 'react';

/** Where the focus goes back to when a dialog closes, if that is still there. */
export const DialogOpener = createContext<HTMLElement | null>(null);
