// docs/decisions/0039-theme-css-within-its-scope.md
/**
 * A workspace's theme CSS as the app applies it: within the content of reading views, above the app's own rules there, and
 * nowhere else. The server has cleaned it, so its braces match; a browser that does not know `@scope` shows none of it.
 */
export function scopedThemeCss(css: string): string {
  return `@layer workspace {\n@scope (.stoa-content) {\n${css}\n}\n}`;
}

/** The nonce of this document, with which alone a style element counts. */
export function documentNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]');
  return meta?.nonce || undefined;
}
