import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortcutSections } from '../../src/app/shortcut-table.ts';
import { keysText, pressMatches } from '../../src/ui/keys.ts';

type Held = readonly ('ctrl' | 'meta' | 'alt' | 'shift')[];

const press = (key: string, held: Held = [], code = '') => ({
  key,
  code,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
});

test('Mod is Ctrl, and Command on a Mac', () => {
  assert.ok(pressMatches(press('k', ['ctrl']), 'Mod+K', false));
  assert.ok(!pressMatches(press('k', ['meta']), 'Mod+K', false));
  assert.ok(pressMatches(press('k', ['meta']), 'Mod+K', true));
  assert.ok(!pressMatches(press('k', ['ctrl']), 'Mod+K', true));
});

test('a letter with Shift is another key than without, a sign on a shifted key is not', () => {
  assert.ok(pressMatches(press('n'), 'n', false));
  assert.ok(!pressMatches(press('N', ['shift']), 'n', false));
  assert.ok(pressMatches(press('N', ['shift']), 'Shift+N', false));
  assert.ok(pressMatches(press('?', ['shift']), '?', false));
  assert.ok(pressMatches(press('ArrowUp', ['alt', 'shift']), 'Alt+Shift+ArrowUp', false));
  assert.ok(!pressMatches(press('ArrowUp', ['alt']), 'Alt+Shift+ArrowUp', false));
});

test('keys are shown as the keyboard names them', () => {
  assert.equal(keysText('Mod+Shift+K', false), 'Ctrl+Shift+K');
  assert.equal(keysText('Mod+Shift+K', true), '⌘⇧K');
  assert.equal(keysText('Alt+Shift+ArrowUp', false), 'Alt+Shift+↑');
  assert.equal(keysText('g h', true), 'g h');
});

/** The letters of keyboards, by the physical keys from `KeyQ` to `KeyM`, then `Period` and `Slash`. */
const physical = [...'qwertyuiopasdfghjklzxcvbnm'].map((letter) => `Key${letter.toUpperCase()}`);
const layouts = {
  russian: ['йцукенгшщзфывапролдячсмить', 'ю', '.', ','],
  ukrainian: ['йцукенгшщзфівапролдячсмить', 'ю', '.', ','],
  greek: [';ςερτυθιοπασδφγηξκλζχψωβνμ', '.', '/', '?'],
  arabic: ['ضصثقفغعهخحشسيبلاتنمئءؤرىةﻻ', 'ز', 'ظ', '؟'],
} as const;
/** The same for keyboards with Latin letters at other positions. */
const latinLayouts = {
  dvorak: "',.pyfgcrlaoeuidhtn;qjkxbm",
  azerty: 'azertyuiopqsdfghjklwxcvbn,',
  qwertz: 'qwertzuiopasdfghjklyxcvbnm',
} as const;

/** All keys of the table that are letters, with what is held: `Mod+K`, `g h` as its two. */
const lettered = shortcutSections
  .flatMap(({ rows }) => rows.flatMap(({ keys }) => keys))
  .flatMap((keys) => keys.split(' '))
  .filter((keys) => /(?:^|\+)\p{L}$/u.test(keys));

function heldFor(keys: string): Held {
  const words = keys.split('+').slice(0, -1);
  return [
    ...(words.includes('Mod') || words.includes('Ctrl') ? (['ctrl'] as const) : []),
    ...(words.includes('Alt') ? (['alt'] as const) : []),
    ...(words.includes('Shift') ? (['shift'] as const) : []),
  ];
}

test('each shortcut acts on keyboards without Latin letters, by the physical key, and no other key has it', () => {
  assert.ok(lettered.length > 20);
  for (const [name, [letters]] of Object.entries(layouts)) {
    for (const keys of lettered) {
      const own = `Key${keys.at(-1)?.toUpperCase()}`;
      const acting = physical.filter((code, at) => {
        const key = letters[at] ?? '';
        const held = heldFor(keys);
        return pressMatches(press(held.includes('shift') ? key.toUpperCase() : key, held, code), keys, false);
      });
      assert.deepEqual(acting, [own], `${keys} on ${name}`);
    }
  }
});

test('punctuation shortcuts act by character if such a keyboard has it, else by the physical key', () => {
  for (const [name, [, period, slash, question]] of Object.entries(layouts)) {
    const presses = [
      press(period, ['ctrl'], 'Period'),
      press('.', ['ctrl'], 'Slash'),
      press(slash, ['ctrl'], 'Slash'),
    ];
    assert.ok(
      presses.some((each) => pressMatches(each, 'Mod+.', false)),
      name,
    );
    assert.ok(
      pressMatches(press(question, ['shift'], 'Slash'), '?', false) || question === ',',
      `? on ${name}`,
    );
  }
  // The character on a key takes precedence over its position.
  assert.ok(!pressMatches(press('.', ['ctrl'], 'Slash'), 'Mod+/', false));
  assert.ok(pressMatches(press('?', ['shift'], 'Digit7'), '?', false));
});

test('a Latin letter counts itself, wherever its key is', () => {
  for (const [name, letters] of Object.entries(latinLayouts)) {
    for (const keys of lettered) {
      const wanted = keys.at(-1)?.toLowerCase() ?? '';
      const acting = physical.filter((code, at) => {
        const key = letters[at] ?? '';
        const held = heldFor(keys);
        return pressMatches(press(held.includes('shift') ? key.toUpperCase() : key, held, code), keys, false);
      });
      const at = letters.indexOf(wanted);
      assert.deepEqual(acting, at === -1 ? [] : [physical[at]], `${keys} on ${name}`);
    }
  }
  // Typed with AltGr, which is Ctrl and Alt: a sign of all scripts, and none of a shortcut.
  assert.ok(!pressMatches(press('µ', ['ctrl', 'alt'], 'KeyM'), 'Mod+Alt+M', false));
});
