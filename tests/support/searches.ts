import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { assertStatus } from './expect.ts';
import { operatorRun } from './operator.ts';
import { integerAt, jsonOf, recordOf, recordsAt, textAt } from './response.ts';
import type { ServiceProcess } from './service-process.ts';
import type { WorkspaceClient } from './workspace-client.ts';

/** A search ends early on a busy machine, and says so. */
const attemptsMax = 500;
const lookAgainMs = 100;
const indexedWithinMs = 300_000;

/** Returns the paths of all files with a phrase, in as many requests as it takes. */
export async function filesWithPhrase(
  workspace: WorkspaceClient,
  phrase: string,
): Promise<readonly string[]> {
  const paths = new Set<string>();
  let from: Readonly<Record<string, string | number>> = {};
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const response = await workspace.query('search-content', { q: phrase, limit: 200, ...from });
    assertStatus(response, 200);
    const body = jsonOf(response);
    for (const file of recordsAt(body, 'files')) paths.add(textAt(file, 'path'));
    if (body.next === null) return [...paths];
    const { after, offset } = recordOf(body.next);
    from = { offset: Number(offset), ...(typeof after === 'string' && { after }) };
  }
  throw new Error(`the search for "${phrase}" did not end`);
}

/** Returns the paths of up to 100 files that a query finds, once the search says that it missed none. */
export async function filesWithWords(workspace: WorkspaceClient, query: string): Promise<readonly string[]> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const response = await workspace.query('find', { q: query, limit: 100 });
    assertStatus(response, 200);
    const body = jsonOf(response);
    if (body.isTotalExact !== true) {
      await wait(lookAgainMs);
      continue;
    }
    const paths = recordsAt(body, 'results').map((result) => textAt(result, 'path'));
    assert.equal(integerAt(body, 'total'), paths.length, query);
    return paths;
  }
  throw new Error(`the search for "${query}" never was complete`);
}

/** Waits until the index has the contents of all current files. @returns the number of its entries. */
export async function untilIndexed(service: Pick<ServiceProcess, 'env' | 'log'>): Promise<number> {
  const givesUpAt = Date.now() + indexedWithinMs;
  for (;;) {
    const { code, stdout, stderr } = await operatorRun(service, 'check', '--json');
    assert.equal(code, 0, stdout + stderr);
    const state = recordOf(recordOf(JSON.parse(stdout)).contentIndex);
    if (integerAt(state, 'missing') === 0) return integerAt(state, 'entries');
    assert.ok(Date.now() < givesUpAt, `${stdout}\n${service.log()}`);
    await wait(lookAgainMs);
  }
}
