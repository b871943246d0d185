import {
  type AskedWord,
  countAskedWords,
  type FindQuery,
  foldCase,
  isInOneLine,
  listHas,
  type MatchingLine,
  readWordLines,
  wordListOf,
  wordsOf,
} from '@stoa/core';
import { outlineOf } from '@stoa/core/text-outline';
import { textOf } from '../ports/word-index.ts';

/** The parts of a query that Find looks for in a text. */
export interface TextQuestion {
  readonly words: readonly AskedWord[];
  /** Folded by `foldCase`. */
  readonly phrases: readonly string[];
  readonly tags: readonly string[];
  /** Set to get the matching lines. The words are then those of `wordsAsked`. */
  readonly query: FindQuery | null;
}

export interface ExamineJob {
  readonly texts: readonly { readonly bytes: Uint8Array; readonly isMarkdown: boolean }[];
  readonly question: TextQuestion;
}

/** The facts about one text; arrays in the order of the question. */
export interface ExaminedText {
  readonly counts: readonly number[];
  readonly phrases: readonly boolean[];
  readonly tags: readonly boolean[];
  readonly inTitle: readonly boolean[];
  readonly inHeadings: readonly boolean[];
  readonly title: string | null;
  readonly lines: readonly MatchingLine[];
}

/** Runs one job, in a worker. Null for a content that is not text. */
export function examineTexts({ texts, question }: ExamineJob): readonly (ExaminedText | null)[] {
  return texts.map(({ bytes, isMarkdown }) => {
    const text = textOf(bytes);
    return text === null ? null : examine(text, isMarkdown, question);
  });
}

function examine(
  text: string,
  isMarkdown: boolean,
  { words, phrases, tags, query }: TextQuestion,
): ExaminedText {
  const isOutlined = isMarkdown && (query !== null || words.length + tags.length > 0);
  const { title, headings, tags: has } = isOutlined ? outlineOf(text) : noOutline;
  const titleWords = wordListOf(wordsOf(title ?? ''));
  const headingWords = wordListOf(wordsOf(headings.join('\n')));
  const folded = phrases.length === 0 ? '' : foldCase(text);
  const { counts, lines } =
    query === null ? { counts: countAskedWords(text, words), lines: [] } : readWordLines(text, query);
  return {
    counts,
    phrases: phrases.map((phrase) => isInOneLine(phrase) && folded.includes(phrase)),
    tags: tags.map((tag) => has.includes(tag)),
    inTitle: words.map((word) => listHas(titleWords, word)),
    inHeadings: words.map((word) => listHas(headingWords, word)),
    title,
    lines,
  };
}

const noOutline = { title: null, headings: [], tags: [] };
