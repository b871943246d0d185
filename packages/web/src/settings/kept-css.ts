/**
 * Whether the server kept all rules that were sent. The server reformats them, so layout and comments are ignored. A
 * rule that it writes differently (`#FFF` for `white`) counts as dropped, which at worst makes the user check once
 * more.
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
