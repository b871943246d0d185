import { type Answer, jsonOf, recordOf } from '../support/answer.ts';
import { type ComparableAnswer, comparableAnswer } from './comparable-answer.ts';

/** Fields whose values the server makes for each response. A tool repeats them in its text. */
const madeAnew: ReadonlySet<string> = new Set(['id', 'createdAt', 'url', 'memberUrl']);

/**
 * Prepares the response to a tool call for a comparison, texts included, to the byte.
 * @param names texts that stand for the workspace and its content, such as ids.
 */
export function comparableToolAnswer(answer: Answer, names: readonly string[]): ComparableAnswer {
  const { result } = jsonOf(answer);
  const made = result === undefined ? [] : valuesMadeIn(recordOf(result).structuredContent);
  return comparableAnswer(answer, [...made, ...placesInFeed(answer), ...names]);
}

/** The parts of a `catch_up` text that differ as records of the feed do: the feed's head and times. */
function placesInFeed({ bytes }: Answer): readonly string[] {
  return (
    bytes
      .toString('utf8')
      .match(/\bcursor \d+( to \d+)?|\bsince \d+(?=\.)|\d{4}-\d\d-\d\d \d\d:\d\d| \d\d:\d\d(?=\\n|[",])/g) ??
    []
  );
}

function valuesMadeIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    typeof field === 'string' && madeAnew.has(name) ? [field] : valuesMadeIn(field),
  );
}
