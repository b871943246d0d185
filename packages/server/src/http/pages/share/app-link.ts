import { escapeHtml } from '../shell/escape-html.ts';

/** @param address null if the app does not show the item to this visitor */
export function appLink(address: string | null): string {
  return address === null ? '' : `<a href="${escapeHtml(address)}">Open in Stoa</a>`;
}
