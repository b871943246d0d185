import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishTools } from '@stoa/contract';
import { claims } from '../conformance/claims.ts';
import { mcpPath, mcpPathOf } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { packageFile, runProgram } from './run-program.ts';

const inspector = packageFile('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
/** The limit for a run that hangs. On a busy machine a start takes many times as long. */
const runSeconds = 120;

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const workspace = await createWorkspace(ada, robot.client);
const scoped = await createKey(ada, { workspaceId: workspace.id });

/** Calls the Inspector as its documentation shows. */
function inspect(secret: string, ...words: readonly string[]) {
  return inspectAt(mcpPath, secret, ...words);
}

function inspectAt(path: string, secret: string, ...words: readonly string[]) {
  const address = [`${server.url}${path}`, '--transport', 'http', '--header', `x-api-key: ${secret}`];
  return runProgram(inspector, ['--cli', ...address, ...words], runSeconds);
}

for (const era of ['legacy', 'modern']) {
  test(...claims('mcp.interop.inspector', `the Inspector finds no fault in the tools, ${era}`), async () => {
    for (const [key, count] of [[robot, 22] as const, [scoped, 20] as const]) {
      const run = await inspect(key.secret, '--protocol-era', era, '--method', 'tools/list', '--strict');
      assert.equal(run.code, 0, run.stdout + run.stderr);
      assert.equal(run.stderr.trim(), '', 'it has something to say about the tools');
      assert.equal(recordsAt(recordOf(JSON.parse(run.stdout)), 'tools').length, count);
    }
  });

  test(...claims('mcp.interop.inspector', `the Inspector reads a file, ${era}`), async () => {
    await workspace.put(`${era}.md`, '# Hello\n');
    const call = [
      '--protocol-era',
      era,
      '--method',
      'tools/call',
      '--tool-name',
      'read_file',
      '--tool-args-json',
    ];
    const given = JSON.stringify({ workspaceId: workspace.id, path: `${era}.md` });
    const run = await inspect(robot.secret, ...call, given);
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const data = recordOf(recordOf(JSON.parse(run.stdout)).structuredContent);
    assert.equal(textAt(data, 'content'), '# Hello\n');
    assert.equal(data.version, 1);
  });
}

for (const [toolSet, era] of [
  ['extended', 'modern'],
  ['files', 'legacy'],
] as const) {
  test(...claims('mcp.interop.inspector', `the Inspector finds no fault in the set ${toolSet}`), async () => {
    const words = ['--protocol-era', era, '--method', 'tools/list', '--strict'];
    for (const [kind, { secret }] of [
      ['scoped', scoped],
      ['account-wide', robot],
    ] as const) {
      const run = await inspectAt(mcpPathOf(toolSet), secret, ...words);
      assert.equal(run.code, 0, run.stdout + run.stderr);
      assert.equal(run.stderr.trim(), '', 'it has something to say about the tools');
      const names = recordsAt(recordOf(JSON.parse(run.stdout)), 'tools').map((tool) => textAt(tool, 'name'));
      assert.deepEqual(
        names,
        publishTools(kind, toolSet).map(({ name }) => name),
      );
    }
  });

  test(...claims('mcp.interop.inspector', `the Inspector edits a file at the set ${toolSet}`), async () => {
    const path = `edited-${toolSet}.md`;
    await workspace.put(path, 'one\ntwo\n');
    const given = JSON.stringify({ path, edits: [{ oldText: 'two', newText: 'zwei' }] });
    const words = ['--protocol-era', era, '--method', 'tools/call', '--tool-name', 'edit_file'];
    const run = await inspectAt(mcpPathOf(toolSet), scoped.secret, ...words, '--tool-args-json', given);
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const data = recordOf(recordOf(JSON.parse(run.stdout)).structuredContent);
    assert.deepEqual([data.ok, data.version], [true, 2]);
  });
}

test(...claims('mcp.interop.inspector', 'the Inspector reports a hard error as one'), async () => {
  const given = JSON.stringify({ path: 'none.md' });
  const call = ['--method', 'tools/call', '--tool-name', 'read_file', '--tool-args-json', given];
  const run = await inspect(scoped.secret, ...call);
  assert.notEqual(run.code, 0);
  assert.equal(recordOf(JSON.parse(run.stdout)).isError, true, run.stdout);
});
