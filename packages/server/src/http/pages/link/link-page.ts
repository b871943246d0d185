import { keyNameMaxCharacters, workspaceKeyName } from '@stoa/core';
import type { DeviceCodeView } from '../../../service/device/look-up-device-code.ts';
import { escapeHtml } from '../shell/escape-html.ts';
import { noticeOf, pageShell, signInForm } from '../shell/page-shell.ts';

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

/**
 * The page at `/link`: plain forms, no script. The forms go to `link`, relative, so that the app may have a path of its own.
 */
export function linkPage(view: LinkView): string {
  return pageShell('form', 'Link a device - Stoa', `<h1>Link a device</h1>\n${contentOf(view)}`);
}

function contentOf(view: LinkView): string {
  switch (view.kind) {
    case 'sign-in':
      return `<p>Sign in to let a device use one of your workspaces.</p>
${noticeOf(view.notice)}${signInForm('link', signInFields(view.code))}`;
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
<label for="name">Name of the key</label><input id="name" name="name" value="${workspaceKeyName}" maxlength="${keyNameMaxCharacters}" required>
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
<button class="quiet">Deny</button>
</form>`;
}

function timeOf(time: number): string {
  const iso = new Date(time).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function signInFields(code: string): string {
  return `<input type="hidden" name="action" value="sign-in">
<input type="hidden" name="code" value="${escapeHtml(code)}">
`;
}
