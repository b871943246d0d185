import { lightColors } from '@stoa/core';
import type { Palette } from '../tokens.ts';

/** The default for most users: warm greys and one deep teal. */
export const light: Palette = { scheme: 'light', colors: lightColors };
