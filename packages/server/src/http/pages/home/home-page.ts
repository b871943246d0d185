import { createHash } from 'node:crypto';
import { escapeHtml } from '../shell/escape-html.ts';

const style = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 12vh auto; padding: 0 1.5rem; }
  h1 { margin-bottom: 0; }
  pre { overflow-x: auto; padding: 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px; }
  code { font: 14px/1.5 ui-monospace, monospace; }
`;

/** Says what this server is and what to do first. Holds nothing secret. */
export function homePage(baseUrl: string): string {
  const base = escapeHtml(baseUrl);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stoa</title>
<style>${style}</style>
</head>
<body>
<h1>Stoa</h1>
<p>A shared file workspace for people and agents. This server is running.</p>
<p>Sign up, or sign in with <code>sign-in/email</code>, and keep the session:</p>
<pre><code>curl -c stoa.cookies ${base}/api/auth/sign-up/email \\
  --json '{"name":"Ada","email":"ada@example.org","password":"a long password"}'</code></pre>
<p>Make a workspace and an API key:</p>
<pre><code>curl -b stoa.cookies ${base}/api/workspaces --json '{"name":"Home"}'
curl -b stoa.cookies ${base}/api/keys --json '{"name":"my-agent","actorType":"agent"}'</code></pre>
<p>Then write and read files with the key:</p>
<pre><code>curl -H "x-api-key: $KEY" -T plan.md ${base}/api/workspaces/$WORKSPACE/files/plan.md
curl -H "x-api-key: $KEY" ${base}/api/workspaces/$WORKSPACE/list</code></pre>
<p>Everything else is in <a href="/api/openapi.json">the description of the interface</a>.</p>
</body>
</html>
`;
}

/** Allows the page its own style sheet, by its hash, and nothing else. */
export const homePageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
