import { createContext } from 'react';
import type { SoughtLine, TextRange } from '../text/sought-line.ts';

/** The line that the address of the page names. */
export interface Sought extends SoughtLine {
  /** Finds the words in a text: see `findSought`. */
  find(text: string): Promise<readonly TextRange[]>;
  /** Removes it from the address. */
  end(): void;
}

/** Null if the address names no line. */
export const SoughtHere = createContext<Sought | null>(null);
