import { lightColors } from '@stoa/core';
import type { Palette } from '../tokens.ts';

/** The one that most people see: warm greys, one deep teal. */
export const light: Palette = { scheme: 'light', colors: lightColors };
