import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';

const style = `
  :root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); --accent: light-dark(#0f6d6a, #58c4bd); --warning: light-dark(#b4410b, #f2915a); }
  * { box-sizing: border-box; }
  body { font: 16px/1.6 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; color: light-dark(#1f2421, #e6e9e7); background: light-dark(#fcfcfb, #161a19); }
  body.form { max-width: 30rem; padding-top: 10vh; } body.content { max-width: 54rem; }
  h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 1rem; } a { color: var(--accent); }
  header { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
  header h1 { font-size: 1.1rem; margin: .5rem auto .5rem 0; }
  pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; background: light-dark(#f4f5f3, #1d2221); }
  code, pre { font: 14px/1.5 ui-monospace, monospace; }
  img, video { max-width: 100%; height: auto; } audio { width: 100%; }
  iframe { width: 100%; height: 80vh; border: 1px solid var(--line); border-radius: 8px; background: white; color-scheme: light; }
  table { border-collapse: collapse; } th, td { padding: .25rem .75rem; border: 1px solid var(--line); text-align: left; }
  ul.entries { list-style: none; padding: 0; } ul.entries li { display: flex; justify-content: space-between; gap: 1rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  label { display: block; margin-top: 1rem; font-weight: 600; }
  input, select, button { font: inherit; padding: .5rem .75rem; border-radius: 6px; border: 1px solid color-mix(in srgb, currentColor 35%, transparent); }
  input, select { width: 100%; color: inherit; background: light-dark(#ffffff, #1d2221); } input.code { text-transform: uppercase; }
  button { margin: 1.25rem .5rem 0 0; cursor: pointer; font-weight: 600; color: light-dark(#ffffff, #10201f); background: var(--accent); border-color: transparent; }
  button.quiet { color: inherit; background: none; border-color: var(--line); opacity: 1; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .code { font: 2rem/1.4 ui-monospace, monospace; letter-spacing: .1em; margin: .5rem 0; }
  dt { font-weight: 600; } dd { margin: 0 0 .5rem; }
  .notice { border-left: 4px solid var(--warning); padding-left: .75rem; } .quiet { opacity: .7; }
  .unseen { font: .75em ui-monospace, monospace; padding: 0 .25em; border: 1px solid var(--warning); border-radius: 4px; }
`;
const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Narrow for a form, wide for what people shared. */
export type PageLayout = 'form' | 'content';

/**
 * The frame of every HTML page of ours: one style sheet, no script. Title and content are HTML that is safe already.
 */
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
${content}
</body>
</html>
`;
}

/** A sentence about what went wrong, above a form. */
export function noticeOf(notice: string | null): string {
  return notice === null ? '' : `<p class="notice" role="alert">${escapeHtml(notice)}</p>\n`;
}

/** @param hidden fields that go with it, as HTML. */
export function signInForm(action: string): string {
  return `<form method="post" action="${escapeHtml(action)}">
<label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>`;
}

/** What a page needs beside its own style sheet. */
export type PageNeeds =
  /** Nothing that people uploaded is on it, but a form; its posts say where they come from. */
  | { readonly kind: 'form' }
  /** Shows uploaded bytes as images, media, and in frames of this origin or of the one for content. */
  | { readonly kind: 'content'; readonly contentOrigin: string | null };

/** Allows the page its own style sheet, by its hash, and what it needs. */
export function pageHeaders(needs: PageNeeds): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${styleSource}; ${sourcesOf(needs)}; base-uri 'none'; frame-ancestors 'none'`,
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    // With `no-referrer` a browser sends forms with `Origin: null`, which signing in refuses.
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
      return `img-src 'self'; media-src 'self'; frame-src ${frames}; form-action 'none'`;
    }
  }
}
