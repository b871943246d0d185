import { escapeHtml } from '../shell/escape-html.ts';
import { pageShell } from '../shell/page-shell.ts';

/** Says what this server is and what to do first. Holds nothing secret. */
export function homePage(baseUrl: string): string {
  const base = escapeHtml(baseUrl);
  return pageShell(
    'text',
    'Stoa',
    `<h1>Stoa</h1>
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
<p>Everything else is in <a href="/api/openapi.json">the description of the interface</a>.</p>`,
  );
}
