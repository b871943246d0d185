/** What the thread that cleans a theme answers, once, before it ends. */
export type ThemeAnswer =
  | { readonly kind: 'cleaned'; readonly css: string | null }
  /** The text is what `invalid_request` says. */
  | { readonly kind: 'refused'; readonly text: string };
