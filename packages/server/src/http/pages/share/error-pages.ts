import { escapeHtml } from '../shell/escape-html.ts';
import { noticeOf, pageShell, signInForm } from '../shell/page-shell.ts';

/** One page for every link that does not open, so that the reason stays unknown. */
export const notFoundPage = pageShell(
  'form',
  'Not found',
  '<h1>Not found</h1>\n<p>This link does not exist or no longer works. Ask the person who sent it to you.</p>',
);

export const gonePage = pageShell(
  'form',
  'Gone',
  '<h1>Gone</h1>\n<p>This link shows one version of a file, and that version is no longer kept.</p>',
);

/** @param base see `ShareTarget` */
export function passwordPage(base: string, notice: string | null): string {
  return pageShell(
    'form',
    'This page is protected',
    `<h1>This page is protected</h1>
<p>Ask the person who sent you the link.</p>
${noticeOf(notice)}<form method="post" action="${escapeHtml(base)}unlock">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="off" required autofocus>
<button>Open</button>
</form>`,
  );
}

export function signInPage(base: string, notice: string | null): string {
  return pageShell(
    'form',
    'Sign in',
    `<h1>Sign in</h1>
<p>This link is for members of a workspace.</p>
${noticeOf(notice)}${signInForm(`${base}sign-in`)}`,
  );
}
