import { darkColors } from '@stoa/core';
import type { Palette } from '../tokens.ts';

export const dark: Palette = { scheme: 'dark', colors: darkColors };
