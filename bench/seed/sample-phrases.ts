import { foldCase } from '@stoa/core';
import { seededRandom } from '../../tests/support/random.ts';
import type { RealText } from './real-texts.ts';

/** The number of files that contain a phrase. */
const kinds = {
  rare: { least: 1, most: 5 },
  medium: { least: 10, most: 300 },
  common: { least: 3000, most: 10_000 },
} as const;

export type PhraseKind = keyof typeof kinds;
export type Phrases = Readonly<Record<PhraseKind, readonly string[]>>;
export const phraseKinds: readonly PhraseKind[] = ['rare', 'medium', 'common'];

const triesMax = 600;

/**
 * Chooses up to `count` phrases of each kind from the texts, always the same ones for the same texts. A phrase is the
 * first one to four words of a line, and has letters: the index does not know punctuation. With fewer texts than 10,000 the limits of each kind except `rare` shrink in
 * proportion.
 */
export function samplePhrases(texts: readonly RealText[], count: number): Phrases {
  const random = seededRandom(1);
  const share = texts.length / kinds.common.most;
  const folded = texts.map(({ bytes }) => foldCase(bytes.toString('utf8')));
  const chosen: Record<PhraseKind, string[]> = { rare: [], medium: [], common: [] };
  const isFull = () => phraseKinds.every((kind) => chosen[kind].length >= count);
  for (let tries = 0; tries < triesMax && !isFull(); tries += 1) {
    const lines = random.pick(folded).split('\n');
    const words = random.pick(lines).trim().split(/\s+/);
    // Common phrases are single words.
    const length = 1 + (chosen.common.length < count && random.below(2) === 0 ? 0 : random.below(4));
    const phrase = words.slice(0, length).join(' ');
    if (phrase.length < 3 || phrase.length > 60 || !/^[\x20-\x7e]*[a-z]{2}[\x20-\x7e]*$/.test(phrase))
      continue;
    const files = folded.filter((text) => text.includes(phrase)).length;
    const kind = phraseKinds.find((name) => {
      const { least, most } = kinds[name];
      return (
        files >= (name === 'rare' ? least : least * share) && files <= (name === 'rare' ? most : most * share)
      );
    });
    if (kind !== undefined && chosen[kind].length < count && !chosen[kind].includes(phrase)) {
      chosen[kind].push(phrase);
    }
  }
  for (const kind of phraseKinds) if (chosen[kind].length === 0) throw new Error(`found no ${kind} phrase`);
  return chosen;
}
