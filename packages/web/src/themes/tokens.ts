import type { Colors } from '@stoa/core';

export interface Palette {
  /** Colours of the parts that the browser draws: scrollbars, the arrows of selects. */
  readonly scheme: 'light' | 'dark';
  readonly colors: Colors;
}
