import { WorkspaceError } from '@stoa/core';
import { cleanThemeCss } from './clean-theme-css.ts';
import type { ThemeAnswer } from './theme-protocol.ts';

/** What one thread does with the CSS that it was started for. */
export function answerTheme(css: string): ThemeAnswer {
  try {
    return { kind: 'cleaned', css: cleanThemeCss(css) };
  } catch (error) {
    if (error instanceof WorkspaceError) return { kind: 'refused', text: error.message };
    throw error;
  }
}
