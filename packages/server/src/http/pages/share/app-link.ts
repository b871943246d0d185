import { escapeHtml } from '../shell/escape-html.ts';

/** @param address null where there is no way into the app. */
export function appLink(address: string | null): string {
  return address === null ? '' : `<a href="${escapeHtml(address)}">Open in Stoa</a>`;
}
