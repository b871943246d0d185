import { escapeHtml } from '../shell/escape-html.ts';
import { pageShell } from '../shell/page-shell.ts';

/** The one answer for every link that does not open, whatever the reason. */
export const notFoundPage = pageShell(
  'Not found',
  '<h1>Not found</h1>\n<p>There is nothing at this address, or no longer. Ask the person who sent it to you.</p>',
);

export const gonePage = pageShell(
  'Gone',
  '<h1>Gone</h1>\n<p>This link shows one version of a file, and that version is no longer kept.</p>',
);

/** @param base see `ShareTarget`. */
export function passwordPage(base: string, notice: string | null): string {
  return pageShell(
    'Password needed',
    `<h1>Password needed</h1>
<p>Whoever sent you this link has its password.</p>
${noticeOf(notice)}<form method="post" action="${escapeHtml(base)}unlock">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="off" required autofocus>
<button>Open</button>
</form>`,
  );
}

export function signInPage(base: string, notice: string | null): string {
  return pageShell(
    'Sign in',
    `<h1>Sign in</h1>
<p>This link is for members of a workspace.</p>
${noticeOf(notice)}<form method="post" action="${escapeHtml(base)}sign-in">
<label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>`,
  );
}

function noticeOf(notice: string | null): string {
  return notice === null ? '' : `<p class="notice" role="alert">${escapeHtml(notice)}</p>\n`;
}
