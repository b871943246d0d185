import { createHash } from 'node:crypto';

const style = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 50rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
  header { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); margin-bottom: 1.5rem; }
  header h1 { font-size: 1.1rem; margin: .5rem 0; }
  pre { overflow-x: auto; padding: 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px; }
  code, pre { font: 14px/1.5 ui-monospace, monospace; }
  img, video { max-width: 100%; height: auto; } audio { width: 100%; }
  iframe { width: 100%; height: 80vh; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px; background: white; }
  table { border-collapse: collapse; } th, td { padding: .25rem .75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: left; }
  ul.entries { list-style: none; padding: 0; } ul.entries li { display: flex; justify-content: space-between; gap: 1rem; padding: .25rem 0; }
  label { display: block; margin-top: 1rem; font-weight: 600; }
  input, button { font: inherit; padding: .5rem .75rem; border-radius: 6px; border: 1px solid color-mix(in srgb, currentColor 40%, transparent); }
  button { margin-top: 1.25rem; cursor: pointer; }
  .notice { border-left: 4px solid #c2410c; padding-left: .75rem; } .quiet { opacity: .7; }
  .unseen { font: .75em ui-monospace, monospace; padding: 0 .25em; border: 1px solid #c2410c; border-radius: 4px; }
`;
const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** A page of ours, without any script. Title and content are HTML that is safe already. */
export function pageShell(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${content}
</body>
</html>
`;
}

/** What a page needs beside its own style sheet. */
export type PageNeeds =
  /** Nothing that people uploaded is on it, but a form; its posts say where they come from. */
  | { readonly kind: 'form' }
  /** Shows uploaded bytes as images, media, and in frames of this origin or of the one for content. */
  | { readonly kind: 'content'; readonly contentOrigin: string | null };

export function pageHeaders(needs: PageNeeds): Readonly<Record<string, string>> {
  const sources =
    needs.kind === 'form'
      ? "form-action 'self'"
      : `img-src 'self'; media-src 'self'; frame-src 'self'${needs.contentOrigin === null ? '' : ` ${needs.contentOrigin}`}; form-action 'none'`;
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${styleSource}; ${sources}; base-uri 'none'; frame-ancestors 'none'`,
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    // With `no-referrer` a browser sends forms with `Origin: null`, which signing in refuses.
    'referrer-policy': needs.kind === 'form' ? 'same-origin' : 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  };
}
