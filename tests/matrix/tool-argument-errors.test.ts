import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExtendedToolId, extendedTools } from '@stoa/contract';
import { z } from 'zod';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { type ToolArguments, toolSamples } from './tool-samples.ts';

/** Every argument of every tool, missing and wrong: the error names it and says what is allowed. */
const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada);
const workspace = await createWorkspace(ada, key.client);
const mcp = openMcp(server, key, { toolSet: 'extended' });

/** Samples that are accepted, for tools whose regular sample is not. */
const accepted: Readonly<Partial<Record<ExtendedToolId, ToolArguments>>> = {
  createWorkspace: { name: 'Never made' },
  answerComments: { answers: [{ threadId: 'none', body: 'Because' }] },
};
/** Words of the schema library, or several messages. */
const unclear = /Invalid input|expected|undefined|\. |\s$/;
const paths = new Set(['path', 'prefix', 'from', 'to', 'movedFrom', 'after']);

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
}

/** A value of another type that no client could mean. */
const wrong: Readonly<Record<string, unknown>> = {
  string: { no: 'text' },
  integer: 'many',
  boolean: 'perhaps',
  array: 'none',
};

for (const id of Object.keys(extendedTools).filter((id): id is ExtendedToolId => id in extendedTools)) {
  const tool = extendedTools[id];
  const { properties = {}, required = [] } = z.toJSONSchema<z.ZodObject>(tool.input, { io: 'input' });
  const named: ToolArguments = tool.reach === 'account' ? {} : { workspaceId: workspace.id };
  const given: ToolArguments = { ...named, ...(accepted[id] ?? toolSamples[id].arguments) };
  const errorOf = async (name: string, value: unknown) => {
    const { isError, text } = await mcp.call(tool.name, { ...given, [name]: value });
    assert.ok(isError, `${name}: ${text}`);
    return text;
  };

  test(`${tool.name} names each missing argument and says what is allowed`, async () => {
    for (const name of [...required, ...Object.keys(named)]) {
      const text = await errorOf(name, undefined);
      assert.match(text, new RegExp(`^${name} is missing: it must be .{6}`));
      assert.doesNotMatch(text, unclear);
    }
  });

  test(`${tool.name} names each wrong argument and says what is allowed`, async () => {
    for (const [name, schema] of Object.entries({ ...properties, ...schemasOf(named) })) {
      const { type, enum: values }: Schema = Object(schema);
      const text = await errorOf(name, values === undefined ? wrong[String(type)] : 'no such');
      assert.match(text, new RegExp(`^${name}(\\.0)?: must be .{6}`));
      assert.doesNotMatch(text, unclear);
      for (const value of values ?? []) assert.ok(text.includes(String(value || 'empty')), text);
      if (type !== 'string' || !paths.has(name)) continue;
      assert.match(
        await errorOf(name, 'a/../b.md'),
        new RegExp(`^Invalid path: .* Next: in ${name}, give a path`),
      );
    }
  });
}

test('an error also names the arguments that were ignored, because one of them may be misspelt', async () => {
  const { isError, text } = await mcp.call('read_file', { workspaceId: workspace.id, pth: 'plan.md' });
  assert.ok(isError);
  assert.match(text, /^path is missing: .* Ignored: pth\. read_file takes .*\bpath\b/);
});

test('a key for one workspace gets advice that it can follow', async () => {
  const scoped = await createKey(ada, { workspaceId: workspace.id });
  const tools = openMcp(server, scoped, { toolSet: 'extended' });
  const { isError, text } = await tools.call('read_file', { workspaceId: 'ws_other', path: 'plan.md' });
  assert.ok(isError);
  assert.match(text, /^Workspace not found\. Next: leave workspaceId out, /);
});

function schemasOf(given: ToolArguments): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.keys(given).map((name) => [name, { type: 'string' }]));
}
