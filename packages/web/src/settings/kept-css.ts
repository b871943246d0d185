/**
 * Whether all rules that were sent were kept. The server writes them anew, so layout and comments do not count. A rule that
 * is written another way there (`#FFF` for `white`) counts as left out: better one look too many.
 */
export function isKeptWhole(sent: string, kept: string): boolean {
  return essence(sent) === essence(kept);
}

function essence(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, '')
    .replace(/;+\}/g, '}')
    .toLowerCase();
}
