import type { DueId } from './requirements/index.ts';

/** Fails a test that hangs. On a machine busy with other tests, some thousands of requests take a minute. */
const timeout = 300_000;

/**
 * Name and options of a test that verifies these requirements: `test(...claims('files.read.etag', 'a read says
 * …'), …)`.
 * The file itself registers the test, so a failure names the right file and line. The call spells out the ids:
 * `coverage.test.ts` reads them from the source, because each test file runs in its own process.
 */
export function claims(
  ids: DueId | readonly DueId[],
  title: string,
): [name: string, options: { readonly timeout: number }] {
  return [`${title} [${[ids].flat().join(', ')}]`, { timeout }];
}
