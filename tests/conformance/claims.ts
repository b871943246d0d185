import type { DueId } from './requirements/index.ts';

/** For what hangs: a machine that runs other tests beside takes a minute for some thousands of requests. */
const timeout = 300_000;

/**
 * Name and options of a test that verifies these requirements: `test(...claims('files.read.etag', 'a read says …'), …)`.
 * The test is registered by the file itself, so that a failure names the file and line it stands at. The ids are
 * written out in the call: `coverage.test.ts` reads them from the source, as test files run in processes of their own.
 */
export function claims(
  ids: DueId | readonly DueId[],
  title: string,
): [name: string, options: { readonly timeout: number }] {
  return [`${title} [${[ids].flat().join(', ')}]`, { timeout }];
}
