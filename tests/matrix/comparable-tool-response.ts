import { type HttpResponse, jsonOf, recordOf } from '../support/response.ts';
import { type ComparableResponse, comparableResponse } from './comparable-response.ts';

/** Fields whose values the server makes for each response. A tool repeats them in its text. */
const remade: ReadonlySet<string> = new Set(['id', 'createdAt', 'url', 'memberUrl']);

/**
 * Prepares the response to a tool call for a comparison, texts included, to the byte.
 * @param names texts that stand for the workspace and its content, such as ids.
 */
export function comparableToolResponse(response: HttpResponse, names: readonly string[]): ComparableResponse {
  const { result } = jsonOf(response);
  const made = result === undefined ? [] : valuesMadeIn(recordOf(result).structuredContent);
  return comparableResponse(response, [...made, ...locationsInFeed(response), ...names]);
}

/** The parts of a `catch_up` text that differ as records of the feed do: the feed's head and times. */
function locationsInFeed({ bytes }: HttpResponse): readonly string[] {
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
    typeof field === 'string' && remade.has(name) ? [field] : valuesMadeIn(field),
  );
}
