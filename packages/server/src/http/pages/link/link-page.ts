import { createHash } from 'node:crypto';
import type { DeviceCodeView } from '../../../service/device/look-up-device-code.ts';
import { escapeHtml } from '../shell/escape-html.ts';

/** The state of the page at `/link`. `code` was typed or sent along, and may be empty; `notice` says what went wrong. */
export type LinkView =
  | { readonly kind: 'sign-in'; readonly code: string; readonly notice: string | null }
  | {
      readonly kind: 'enter-code';
      readonly code: string;
      readonly notice: string | null;
      readonly personName: string;
    }
  | {
      readonly kind: 'review';
      readonly request: DeviceCodeView;
      readonly personName: string;
      readonly workspaces: readonly { readonly id: string; readonly name: string }[];
    }
  | { readonly kind: 'approved' }
  | { readonly kind: 'denied' };

const style = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 28rem; margin: 10vh auto; padding: 0 1.5rem; }
  h1 { font-size: 1.5rem; }
  label, legend { display: block; margin-top: 1rem; font-weight: 600; }
  input, select, button { font: inherit; padding: .5rem .75rem; border-radius: 6px; border: 1px solid color-mix(in srgb, currentColor 40%, transparent); }
  input, select { width: 100%; box-sizing: border-box; }
  button { margin: 1.25rem .5rem 0 0; cursor: pointer; }
  .code { font: 2rem/1.4 ui-monospace, monospace; letter-spacing: .1em; margin: .5rem 0; }
  .notice { border-left: 4px solid #c2410c; padding-left: .75rem; }
  dt { font-weight: 600; } dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
`;

/**
 * The page at `/link`: plain forms, no script. The forms go to `link`, relative, so that the app may have a path of its own.
 */
export function linkPage(view: LinkView): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Link a device - Stoa</title>
<style>${style}</style>
</head>
<body>
<h1>Link a device</h1>
${contentOf(view)}
</body>
</html>
`;
}

/**
 * Allows the page its own style sheet and forms that go to this server. The referrer stays within the origin: with
 * `no-referrer` a browser would send the forms with `Origin: null`, and the check against other sites could not tell them.
 */
export const linkPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
};

function contentOf(view: LinkView): string {
  switch (view.kind) {
    case 'sign-in':
      return `<p>Sign in to let a device use one of your workspaces.</p>
${noticeOf(view.notice)}<form method="post" action="link">
<input type="hidden" name="action" value="sign-in">
<input type="hidden" name="code" value="${escapeHtml(view.code)}">
<label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>`;
    case 'enter-code':
      return `<p>Signed in as ${escapeHtml(view.personName)}. Is this the code that your device shows?</p>
${noticeOf(view.notice)}<form method="post" action="link">
<input type="hidden" name="action" value="look-up">
<label for="code">Code</label><input id="code" name="code" class="code" value="${escapeHtml(view.code)}" placeholder="XXXX-XXXX" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<button>Continue</button>
</form>`;
    case 'review':
      return view.request.state === 'approved' ? waitingFor(view.request) : review(view);
    case 'approved':
      return '<p>Approved. Go back to your device: it fetches its key by itself.</p>';
    case 'denied':
      return '<p>Denied. The device gets no access.</p>';
  }
}

function review({ request, personName, workspaces }: Extract<LinkView, { kind: 'review' }>): string {
  const options = workspaces.map(
    ({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`,
  );
  const code = `<input type="hidden" name="code" value="${escapeHtml(request.userCode)}">`;
  const approval =
    options.length === 0
      ? '<p class="notice">You have no workspace yet. Make one, or accept an invite, and come back.</p>'
      : `<form method="post" action="link">
<input type="hidden" name="action" value="approve">${code}
<label for="workspace">Workspace</label><select id="workspace" name="workspace" required>${options.join('')}</select>
<label for="name">Name of the key</label><input id="name" name="name" value="service-cli" maxlength="100" required>
<label for="actor">Used by</label><select id="actor" name="actor"><option value="human">Human (CLI)</option><option value="agent">Agent (MCP)</option></select>
<button>Approve</button>
</form>`;
  return `<p>Signed in as ${escapeHtml(personName)}. Approve only if your device shows this code:</p>
<p class="code">${escapeHtml(request.userCode)}</p>
${facts(request)}
<p>Did somebody send you this code? Deny it: they would get access to your files.</p>
${approval}
${denial(code)}`;
}

function waitingFor(request: DeviceCodeView): string {
  return `<p>Already approved. The device has not fetched its key yet.</p>
<p class="code">${escapeHtml(request.userCode)}</p>
${facts(request)}
${denial(`<input type="hidden" name="code" value="${escapeHtml(request.userCode)}">`)}`;
}

function facts({ clientAddress, userAgent, createdAt, expiresAt }: DeviceCodeView): string {
  return `<dl>
<dt>Asked from</dt><dd>${escapeHtml(clientAddress)}</dd>
<dt>By</dt><dd>${userAgent === '' ? 'an unnamed program' : escapeHtml(userAgent)}</dd>
<dt>At</dt><dd>${timeOf(createdAt)}, valid until ${timeOf(expiresAt)}</dd>
</dl>`;
}

function denial(code: string): string {
  return `<form method="post" action="link">
<input type="hidden" name="action" value="deny">${code}
<button>Deny</button>
</form>`;
}

function timeOf(time: number): string {
  const iso = new Date(time).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function noticeOf(notice: string | null): string {
  return notice === null ? '' : `<p class="notice" role="alert">${escapeHtml(notice)}</p>\n`;
}
