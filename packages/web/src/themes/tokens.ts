import type { Colors } from '@stoa/core';

export interface Palette {
  /** How the browser draws its own parts: scrollbars, the arrows of selects. */
  readonly scheme: 'light' | 'dark';
  readonly colors: Colors;
}
