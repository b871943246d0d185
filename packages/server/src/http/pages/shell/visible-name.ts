import { partsOfName, shownName } from '@stoa/core';
import { escapeHtml } from './escape-html.ts';

/**
 * Returns a name as HTML with its hidden characters marked: `invoice\u{202E}fdp.exe` does not read as a PDF. The name is
 * isolated, so that right-to-left text does not move its neighbours.
 */
export function visibleName(name: string): string {
  const html = partsOfName(name).map(({ text, isHidden }) =>
    isHidden ? `<span class="unseen">${text}</span>` : escapeHtml(text),
  );
  return `<bdi>${html.join('')}</bdi>`;
}

/** The same where elements are impossible: titles and attributes. */
export function visibleText(name: string): string {
  return escapeHtml(shownName(name));
}
