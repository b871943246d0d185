import { foldCase } from '@stoa/core';
import { type Random, seededRandom } from '../../tests/support/random.ts';
import type { RealText } from './real-texts.ts';
import type { Phrases } from './sample-phrases.ts';

export const findKinds = ['a rare word', 'common words', 'two letters', 'a phrase', 'filters'] as const;
export type FindKind = (typeof findKinds)[number];
export type Finds = Readonly<Record<FindKind, readonly string[]>>;

const wordPattern = /\b[a-z]{4,12}\b/g;
/** The most files that have a rare word, and the smallest share of files that have a common one. */
const rareMax = 5;
const commonShare = 0.2;

/** Chooses queries of each kind, always the same ones for the same texts. */
export function sampleFinds(texts: readonly RealText[], phrases: Phrases, count: number): Finds {
  const random = seededRandom(2);
  const files = countFiles(texts);
  const wordsOf = (isOne: (files: number) => boolean) =>
    [...files].filter(([, number]) => isOne(number)).map(([word]) => word);
  const rare = wordsOf((number) => number <= rareMax);
  const common = wordsOf((number) => number >= texts.length * commonShare);
  const times = <Item>(make: (at: number) => Item) => Array.from({ length: count }, (_, at) => make(at));
  return {
    'a rare word': times(() => `${random.pick(rare)} `),
    'common words': times((at) => `${several(random, common, 2 + (at % 2))} `),
    'two letters': times(() => random.pick(common).slice(0, 2)),
    'a phrase': [...phrases.medium, ...phrases.rare].slice(0, count).map((phrase) => `"${phrase}"`),
    filters: times((at) => {
      const word = random.pick(common);
      return [`type:md ${word}`, `in:texts/node_modules by:agents ${word}`, `${word} after:2026-01-01`][
        at % 3
      ] as string;
    }),
  };
}

function several(random: Random, words: readonly string[], count: number): string {
  return Array.from({ length: count }, () => random.pick(words)).join(' ');
}

/** The number of files that have each word. */
function countFiles(texts: readonly RealText[]): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  for (const { bytes } of texts) {
    for (const word of new Set(foldCase(bytes.toString('utf8')).match(wordPattern))) {
      files.set(word, (files.get(word) ?? 0) + 1);
    }
  }
  return files;
}
