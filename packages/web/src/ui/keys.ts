/** Keys in words, and which of them an event is. Pure but for the machine's kind. */

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export function isMac(platform: string = globalThis.navigator?.platform ?? ''): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

/** `Mod+Shift+K` as this machine's keyboard names it: `Ctrl+Shift+K`, `⌘⇧K`. A sequence such as `g h` stays. */
export function keysText(keys: string, mac: boolean = isMac()): string {
  const words = keys.split('+').map((part) => {
    const named = part.replace(/^Arrow/, '');
    const arrow = { Up: '↑', Down: '↓', Left: '←', Right: '→' }[named];
    if (arrow !== undefined) return arrow;
    if (!mac) return part === 'Mod' ? 'Ctrl' : named;
    return { Mod: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃' }[part] ?? named;
  });
  return words.join(mac ? '' : '+');
}

/**
 * Whether a press is one of these keys: `Mod+K`, `Alt+Shift+ArrowUp`, `?`, `Shift+N`. Letters match in either case; of a
 * sign that stands on a shifted key (`?`) Shift is part of the sign.
 */
export function pressMatches(press: KeyPress, keys: string, mac: boolean = isMac()): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const wants = new Set(parts.slice(0, -1));
  const mod = wants.has('Mod');
  const ctrl = wants.has('Ctrl') || (mod && !mac);
  const meta = mod && mac;
  if (press.ctrlKey !== ctrl || press.metaKey !== meta || press.altKey !== wants.has('Alt')) return false;
  const isLetter = /^\p{L}$/u.test(key);
  if (press.key.toLowerCase() !== key.toLowerCase()) return false;
  const namesShift = isLetter || key.length > 1;
  return !namesShift || press.shiftKey === wants.has('Shift');
}
