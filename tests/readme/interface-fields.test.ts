import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type RouteDescriptor, type RouteTag, routes, tools } from '@stoa/contract';
import { z } from 'zod';

const folder = join(import.meta.dirname, '../../docs/interface');

/** The pages that describe the routes of a tag. */
const pagesOf: Readonly<Record<RouteTag, readonly string[]>> = {
  Files: ['files', 'conflicted-copies'],
  History: ['versions', 'files', 'feed'],
  Search: ['files'],
  'Change feed': ['feed'],
  Folders: ['files', 'privacy'],
  Workspaces: ['workspaces', 'members'],
  Members: ['members', 'privacy'],
  Sharing: ['shares'],
  Comments: ['comments', 'feed'],
  Keys: ['access'],
  'Device flow': ['device-flow'],
  Service: ['workspaces'],
};

for (const [tag, names] of Object.entries(pagesOf)) {
  test(`the fields of requests and responses of ${tag} are on ${names.join(', ')}`, async () => {
    const text = await textOf(names);
    const missing = Object.values<RouteDescriptor>(routes)
      .filter((route) => route.tag === tag)
      .flatMap((route) =>
        fieldsOf(route)
          .filter((field) => !isNamed(text, field))
          .map((field) => `${route.id}: ${field}`),
      );
    assert.deepEqual(missing, []);
  });
}

test('the parameters of tools are on the page about MCP, or on the page of the same route', async () => {
  const text = await textOf(['mcp']);
  const missing = Object.values(tools).flatMap(({ name, input }) =>
    Object.keys(input.shape)
      .filter((field) => !isNamed(text, field))
      .map((field) => `${name}: ${field}`),
  );
  assert.deepEqual(missing, []);
});

async function textOf(names: readonly string[]): Promise<string> {
  const pages = await Promise.all(names.map((name) => readFile(join(folder, `${name}.md`), 'utf8')));
  return pages.join('\n');
}

/** Whether a code span names the field, alone or among others. */
function isNamed(text: string, field: string): boolean {
  return new RegExp(`\`[^\`\n]*(?<![\\w-])${field}(?![\\w-])[^\`\n]*\``).test(text);
}

/** Returns the names of all fields in query, headers, body and responses, at any depth. */
function fieldsOf({ query, headers, body, responses }: RouteDescriptor): readonly string[] {
  const found = new Set<string>(Object.keys(headers ?? {}));
  const schemas = [query, body, ...Object.values(responses).map((response) => response.body)];
  for (const schema of schemas) {
    if (schema === undefined || schema === 'bytes') continue;
    for (const io of ['input', 'output'] as const)
      collect(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), found);
  }
  for (const { headers: responded = {} } of Object.values(responses))
    for (const name of Object.keys(responded)) found.add(name);
  return [...found];
}

function collect(schema: unknown, found: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) found.add(name);
    }
    collect(value, found);
  }
}
