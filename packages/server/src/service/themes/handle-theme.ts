import { WorkspaceError } from '@stoa/core';
import { cleanThemeCss } from './clean-theme-css.ts';

/** The worker's result for some CSS. */
export type ThemeResponse =
  | { readonly kind: 'cleaned'; readonly css: string | null }
  /** The text is the message of `invalid_request`. */
  | { readonly kind: 'refused'; readonly text: string };

/** Separate from `ThemeCleaner`, so that only the worker loads the parser. */
export function handleTheme(css: string): ThemeResponse {
  try {
    return { kind: 'cleaned', css: cleanThemeCss(css) };
  } catch (error) {
    if (error instanceof WorkspaceError) return { kind: 'refused', text: error.message };
    throw error;
  }
}
