import { createHash } from 'node:crypto';
import { colorTokens, darkColors, lightColors } from '@stoa/core';
import { escapeHtml } from './escape-html.ts';

const colors = colorTokens
  .map((token) => `--stoa-${token}: light-dark(${lightColors[token]}, ${darkColors[token]});`)
  .join(' ');

/** The app's colours and reading typography; `tests/web/share-look.test.ts` compares the two in a browser. */
const style = `
  :root { color-scheme: light dark; ${colors} }
  *, ::before, ::after { box-sizing: border-box; }
  html { background: var(--stoa-background); color: var(--stoa-text); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
  body { margin: 0; overflow-wrap: anywhere; font: 16px/1.65 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, sans-serif; }
  a { color: var(--stoa-link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
  :focus-visible { outline: 2px solid var(--stoa-focus); outline-offset: 1px; }
  ::selection { background: var(--stoa-selection); color: var(--stoa-text); }

  header { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; min-height: 48px; padding: 8px max(16px, calc(50% - 368px)); border-bottom: 1px solid var(--stoa-border); background: var(--stoa-surface); font-size: 14px; line-height: 20px; }
  header h1 { margin: 0 auto 0 0; font-size: 14px; font-weight: 600; line-height: 20px; }
  header a { padding: 5px 12px; border: 1px solid var(--stoa-border); border-radius: 6px; background: var(--stoa-raised); color: var(--stoa-text); font-weight: 500; text-decoration: none; white-space: nowrap; }
  header a:hover { background: var(--stoa-hover); }
  main { max-width: 768px; margin: 0 auto; padding: 32px 16px 64px; }
  main > * { max-width: 72ch; }
  main > :is(img, video, audio, iframe, pre, .scroll, ul.entries) { max-width: 100%; }
  main > :first-child { margin-top: 0; }

  h1, h2, h3, h4, h5, h6 { margin: 32px 0 8px; font-weight: 600; line-height: 1.3; text-wrap: balance; }
  h1 { font-size: 24px; letter-spacing: -0.01em; } h2 { font-size: 20px; letter-spacing: -0.005em; } h3 { font-size: 17px; } h4, h5, h6 { font-size: 16px; }
  h5, h6 { color: var(--stoa-text-muted); }
  p, ul, ol, blockquote, pre, .scroll, img, video { margin: 0 0 16px; }
  ul, ol { padding-inline-start: 24px; } li > :is(ul, ol) { margin: 4px 0; } li + li { margin-top: 4px; } li::marker { color: var(--stoa-text-muted); }
  blockquote { padding-inline-start: 16px; border-inline-start: 3px solid var(--stoa-border); color: var(--stoa-text-muted); }
  blockquote > :last-child, li > p:last-child { margin-bottom: 0; }
  code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Noto Sans Mono", monospace; background: var(--stoa-code-background); }
  code { padding: 2px 5px; border-radius: 4px; font-size: 0.875em; }
  pre { padding: 12px 16px; border-radius: 6px; font-size: 13.5px; line-height: 1.55; white-space: pre-wrap; tab-size: 4; } pre code { padding: 0; background: none; font-size: inherit; }
  li:has(> input, > p > input) { list-style: none; } li input { width: 16px; height: 16px; margin: 0 4px 0 -24px; vertical-align: -2px; accent-color: var(--stoa-accent); }
  sup { line-height: 0; } sup a { padding-inline: 2px; text-decoration: none; }
  main > section { margin-top: 32px; padding-top: 16px; border-top: 1px solid var(--stoa-border); font-size: 14px; }
  hr { margin: 32px 0; border: 0; border-top: 1px solid var(--stoa-border); }
  .scroll { overflow-x: auto; overflow-wrap: break-word; }
  table { border-collapse: collapse; font-size: 15px; line-height: 1.5; } th, td { padding: 6px 12px; border-bottom: 1px solid var(--stoa-border); text-align: start; vertical-align: top; } th { font-weight: 600; }
  [align="center"] { text-align: center; } [align="left"] { text-align: left; } [align="right"] { text-align: right; font-variant-numeric: tabular-nums; }
  img, video { max-width: 100%; height: auto; border-radius: 4px; vertical-align: middle; } audio { width: 100%; }
  iframe { display: block; width: 100%; height: calc(100vh - 144px); min-height: 320px; border: 1px solid var(--stoa-border); border-radius: 6px; background: white; color-scheme: light; }
  ul.entries { padding: 0; list-style: none; font-size: 14px; line-height: 20px; }
  ul.entries li { display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: 40px; margin: 0; padding: 0 8px; border-bottom: 1px solid var(--stoa-border); }
  ul.entries li:hover { background: var(--stoa-hover); }
  ul.entries a { flex: 1; padding: 10px 0; color: var(--stoa-text); text-decoration: none; } ul.entries a:hover { text-decoration: underline; }
  ul.entries .quiet { font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .quiet { color: var(--stoa-text-muted); }

  html:has(> .form) { background: var(--stoa-surface); }
  .form header { padding: 0 16px; border: 0; background: none; font-size: 16px; font-weight: 600; letter-spacing: -0.01em; }
  .form header svg { color: var(--stoa-accent); }
  .form main { width: min(416px, 100% - 32px); margin: 8vh auto 48px; padding: 32px; border: 1px solid var(--stoa-border); border-radius: 10px; background: var(--stoa-background); font-size: 14px; line-height: 20px; }
  .form h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px; } .form p { margin: 0; color: var(--stoa-text-muted); }
  label { display: block; margin: 16px 0 4px; font-size: 13px; font-weight: 500; }
  .form input { width: 100%; min-height: 36px; padding: 7px 10px; border: 1px solid var(--stoa-border-strong); border-radius: 6px; background: var(--stoa-background); color: inherit; font: inherit; }
  button { width: 100%; min-height: 40px; margin: 16px 0 0; border: 0; border-radius: 6px; background: var(--stoa-accent); color: var(--stoa-on-accent); font: inherit; font-weight: 500; cursor: pointer; }
  button:hover { background: color-mix(in oklab, var(--stoa-accent) 90%, var(--stoa-text)); }
  .form .notice { margin: 16px 0 0; color: var(--stoa-danger); font-weight: 500; }
  @media (max-width: 639px) { html:has(> .form) { background: var(--stoa-background); } .form main { width: 100%; margin: 0 auto; padding: 24px 16px 48px; border: 0; border-radius: 0; } }
  .unseen { padding: 0 0.25em; border: 1px solid var(--stoa-warning); border-radius: 4px; font: 0.75em ui-monospace, monospace; }
  @media (pointer: coarse) { header a, button { min-height: 44px; padding-block: 11px; } .form input { min-height: 44px; font-size: 16px; } ul.entries li { min-height: 48px; } }
`;
const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** The wordmark of the app's own pages; `tests/web/share-look.test.ts` compares the two. */
const wordmark = `<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M2 7 10 2.5 18 7M3 7.5h14M4.5 7.5v8M8.2 7.5v8M11.8 7.5v8M15.5 7.5v8M2.5 16.5h15" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg>Stoa`;

/** Narrow for a form, wide for shared content. */
export type PageLayout = 'form' | 'content';

/** The frame of every HTML page of the server: one style sheet, no script. Title and content are safe HTML. */
export function pageShell(layout: PageLayout, title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body class="${layout}">
${layout === 'form' ? `<header>${wordmark}</header>\n<main>\n${content}\n</main>` : content}
</body>
</html>
`;
}

/** An error message above a form. */
export function noticeOf(notice: string | null): string {
  return notice === null ? '' : `<p class="notice" role="alert">${escapeHtml(notice)}</p>\n`;
}

/** @param hidden additional fields, as HTML */
export function signInForm(action: string): string {
  return `<form method="post" action="${escapeHtml(action)}">
<label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>`;
}

/** Sources that a page needs in addition to its own style sheet. */
export type PageNeeds =
  /** A form and no uploaded content. Its requests send their origin. */
  | { readonly kind: 'form' }
  /**
   * Uploaded bytes as images (also data URLs within a text), as media, and in frames of this origin or of the content
   * origin.
   */
  | { readonly kind: 'content'; readonly contentOrigin: string | null };

/** Allows the page its own style sheet, by its hash, and the sources that it needs. */
export function pageHeaders(needs: PageNeeds): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${styleSource}; ${sourcesOf(needs)}; base-uri 'none'; frame-ancestors 'none'`,
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    // With `no-referrer` a browser sends forms with `Origin: null`, which sign-in rejects.
    'referrer-policy': needs.kind === 'form' ? 'same-origin' : 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  };
}

function sourcesOf(needs: PageNeeds): string {
  switch (needs.kind) {
    case 'form':
      return "form-action 'self'";
    case 'content': {
      const { contentOrigin } = needs;
      const frames = contentOrigin === null ? "'self'" : `'self' ${contentOrigin}`;
      return `img-src 'self' data:; media-src 'self'; frame-src ${frames}; form-action 'none'`;
    }
  }
}
