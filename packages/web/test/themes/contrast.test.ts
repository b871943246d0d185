import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colorTokens } from '@stoa/core';
import { contrastPairs, contrastRatio } from '../../src/themes/contrast.ts';
import { palettes, palettesCss } from '../../src/themes/palettes.ts';

test('black on white has the highest contrast', () => {
  assert.equal(Math.round(contrastRatio('#000000', '#ffffff')), 21);
  assert.equal(contrastRatio('#123456', '#123456'), 1);
});

for (const [theme, { colors }] of Object.entries(palettes)) {
  test(`text and controls have enough contrast with their background in ${theme}`, () => {
    const tooClose = contrastPairs.flatMap(({ front, backs, ratio }) =>
      backs
        .map((back) => ({ front, back, ratio, has: contrastRatio(colors[front], colors[back]) }))
        .filter(({ has }) => has < ratio)
        .map(({ back, has }) => `${front} on ${back}: ${has.toFixed(2)} of ${ratio}`),
    );
    assert.deepEqual(tooClose, []);
  });
}

test('every text colour is in a checked pair', () => {
  const paired = new Set(contrastPairs.flatMap(({ front, backs }) => [front, ...backs]));
  const decoration = new Set(['border']);
  assert.deepEqual(
    colorTokens.filter((token) => !paired.has(token) && !decoration.has(token)),
    [],
  );
});

test('the style sheet names each theme', () => {
  for (const theme of Object.keys(palettes)) assert.match(palettesCss(), new RegExp(`data-theme="${theme}"`));
});
