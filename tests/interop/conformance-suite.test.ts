import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { claims } from '../conformance/claims.ts';
import { mcpPath, mcpPathOf } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { startKeyInjectingProxy } from './key-injecting-proxy.ts';
import { readSuiteResults } from './read-suite-results.ts';
import { makeProgramHome, packageFile, runProgram } from './run-program.ts';

const suite = packageFile('@modelcontextprotocol/conformance/dist/index.js');
/** The limit for a run that hangs. */
const runSeconds = 240;

// The suite cannot send extra headers. It sends the Origin and Host of its target address.
const proxy = await startKeyInjectingProxy();
after(() => proxy[Symbol.asyncDispose]());
const { service, client } = await useOwnService({ STOA_BASE_URL: proxy.url });
const ada = await signUp({ ...client, url: proxy.url });
const { id: workspaceId } = await createWorkspace(ada);
const accountWide = await createKey(ada);
const scoped = await createKey(ada, { workspaceId });

for (const [kind, key] of Object.entries({ 'an account-wide': accountWide, 'a scoped': scoped })) {
  test(
    ...claims(
      'mcp.interop.conformance-2025-11-25',
      `with ${kind} key the protocol's own suite finds no fault beyond the baseline in 2025-11-25`,
    ),
    () => runSuite('2025-11-25', key),
  );
  test(
    ...claims(
      'mcp.interop.conformance-2026-07-28',
      `with ${kind} key the protocol's own suite finds no fault beyond the baseline in 2026-07-28`,
    ),
    () => runSuite('2026-07-28', key),
  );
}

test(
  ...claims(
    'mcp.interop.conformance-2026-07-28',
    "at the extended set's address the protocol's own suite finds no fault beyond the baseline in 2026-07-28",
  ),
  () => runSuite('2026-07-28', scoped, mcpPathOf('extended')),
);

test(
  ...claims(
    'mcp.interop.conformance-2025-11-25',
    "at the lean set's address the protocol's own suite finds no fault beyond the baseline in 2025-11-25",
  ),
  () => runSuite('2025-11-25', scoped, mcpPathOf('files')),
);

test('each check in the baseline has a reason', async () => {
  for (const revision of ['2025-11-25', '2026-07-28']) {
    for (const line of await baselineLines(revision)) assert.match(line, /^ {2}- \S+:\S+ # \S.{5,}$/);
  }
});

async function runSuite(
  revision: string,
  key: { readonly secret: string },
  path: string = mcpPath,
): Promise<void> {
  proxy.passTo(service.url, key);
  await using results = await makeProgramHome();
  const words = ['--url', proxy.url + path, '--requirements', revision, '--output-dir', results.folder];
  const run = await runProgram(
    suite,
    ['server', ...words, '--expected-failures', baselineFile(revision)],
    runSeconds,
  );
  const { scenarios, failed, passed } = await readSuiteResults(results.folder);
  const baseline = new Set(
    (await baselineLines(revision)).map((line) => line.split(' # ')[0]?.slice('  - '.length) ?? ''),
  );
  // Stricter than the suite's own verdict: checks that a revision does not score count as well.
  assert.deepEqual([...failed.difference(baseline)], [], 'failed, and is not in the baseline');
  assert.deepEqual([...baseline.difference(failed)], [], 'is in the baseline, and did not fail');
  assert.deepEqual([...(await requiredScenarios(revision)).difference(scenarios)], [], 'was not run');
  assert.ok(passed.size > 20, `too few checks ran: ${[...passed].join(' ')}`);
  assert.equal(run.code, 0, run.stdout + run.stderr);
}

function baselineFile(revision: string): string {
  return join(import.meta.dirname, 'baselines', `${revision}.yml`);
}

async function baselineLines(revision: string): Promise<readonly string[]> {
  const text = await readFile(baselineFile(revision), 'utf8');
  return text.split('\n').filter((line) => line.startsWith('  '));
}

/** The scenarios of servers that the suite's own list of requirements names. */
async function requiredScenarios(revision: string): Promise<ReadonlySet<string>> {
  const file = packageFile(`@modelcontextprotocol/conformance/requirements/${revision}.yaml`);
  const [, list = ''] = /^server:\n((?: {2}- .+\n)+)/m.exec(await readFile(file, 'utf8')) ?? [];
  const names = [...list.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name);
  assert.ok(names.length > 20, `${file} names no scenarios`);
  return new Set(names);
}
