/** Formats and matches keyboard shortcuts. Pure except for the platform check. */

export interface KeyPress {
  readonly key: string;
  /** The physical key: `KeyK`. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export function isMac(platform: string = globalThis.navigator?.platform ?? ''): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

/** `Mod+Shift+K` in the notation of this platform: `Ctrl+Shift+K`, `⌘⇧K`. A sequence such as `g h` is unchanged. */
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
 * The character of a key press as shortcuts name it. On layouts without Latin letters (Cyrillic, Greek, Arabic) the
 * physical key counts, as on a QWERTY keyboard. A Latin letter always counts as itself (Dvorak, AZERTY).
 */
export function latinKey({ key, code, shiftKey }: Pick<KeyPress, 'key' | 'code' | 'shiftKey'>): string {
  if (!nonLatin.test(key)) return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return shiftKey ? letter : letter.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return code === 'Period' && !shiftKey ? '.' : key;
}

/** A letter of another script, or the Arabic question mark. `µ` is common to all scripts: AltGr types it. */
const nonLatin = /^(?:(?!\p{Script=Latin}|\p{Script=Common})\p{L}|؟)$/u;

/**
 * Whether a key press matches a shortcut: `Mod+K`, `Alt+Shift+ArrowUp`, `?`, `Shift+N`. Letters match in either case.
 * For a character on a shifted key (`?`), Shift is part of the character.
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
  if (latinKey(press).toLowerCase() !== key.toLowerCase()) return false;
  const namesShift = isLetter || key.length > 1;
  return !namesShift || press.shiftKey === wants.has('Shift');
}
