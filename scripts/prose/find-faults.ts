/** Finds the faults of prose in one text: see `rules.ts`. */
import { publicNames, rules, sentenceWordsMax, type TextKind } from './rules.ts';

export interface Fault {
  readonly rule: string;
  readonly instead: string;
  readonly found: string;
}

export interface ProseText {
  readonly file: string;
  readonly line: number;
  readonly kind: TextKind;
  /** On one line, without markup and code. */
  readonly text: string;
}

export function findFaults({ file, kind, text }: ProseText): readonly Fault[] {
  const faults: Fault[] = [];
  for (const { name, instead, pattern, kinds, files, allowed = [] } of rules) {
    if (kinds !== undefined && !kinds.includes(kind)) continue;
    if (files !== undefined && !files.test(file)) continue;
    for (const match of text.matchAll(withGlobal(pattern))) {
      const around = text.slice(Math.max(0, match.index - 20), match.index + match[0].length + 20);
      const isPublic = publicNames.some(
        ({ pattern: name, files: where }) => (where === undefined || where.test(file)) && name.test(around),
      );
      if (isPublic || allowed.some(({ pattern: exception }) => exception.test(around))) continue;
      faults.push({ rule: name, instead, found: match[0].trim() });
    }
  }
  const wordsMax = sentenceWordsMax[kind];
  if (wordsMax !== undefined) {
    for (const sentence of text.split(/(?<=[.!?:;]["”»)]?) (?=["“«(]?[\p{Lu}\d])/u)) {
      const words = sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
      if (words > wordsMax)
        faults.push({
          rule: 'long sentence',
          instead: `at most ${wordsMax} words`,
          found: `${words} words: ${sentence.slice(0, 40)}…`,
        });
    }
  }
  return faults;
}

function withGlobal(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}
