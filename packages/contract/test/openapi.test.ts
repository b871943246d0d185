import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openApiDocument, type RouteDescriptor, routes } from '@stoa/contract';

const document = openApiDocument();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

test('docs/openapi.json matches the contract (npm run openapi updates it)', async () => {
  const written = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
  assert.equal(written, `${JSON.stringify(document, null, 2)}\n`);
});

test('the document has one operation for each route', () => {
  assert.deepEqual(
    operations.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`).toSorted(),
    Object.values<RouteDescriptor>(routes)
      .map(({ id, method, path }) => `${id} ${method.toLowerCase()} ${path}`)
      .toSorted(),
  );
});

test('the path parameters are exactly those declared, and each is required and described', () => {
  for (const { path, operation } of operations) {
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    assert.deepEqual(
      declared.map(({ name }) => name),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
    assert(declared.every(({ required, description }) => required && description !== undefined));
  }
});

test('no parameter is declared twice', () => {
  for (const { operation } of operations) {
    const names = (operation.parameters ?? []).map(
      (parameter) => `${parameter.in} ${parameter.name.toLowerCase()}`,
    );
    assert.equal(new Set(names).size, names.length, operation.operationId);
  }
});

test('every reference points to a schema, and every schema is used', () => {
  const used = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target),
  );
  const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  assert.deepEqual([...used].toSorted(), known.toSorted());
});

test('every operation has existing security schemes, a known tag and described responses', () => {
  for (const { operation } of operations) {
    const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
    assert(
      schemes.every((name) => name in document.components.securitySchemes),
      operation.operationId,
    );
    assert(operation.tags.every((tag) => document.tags.some(({ name }) => name === tag)));
    for (const [status, { description }] of Object.entries(operation.responses)) {
      assert.match(status, /^[2-5]\d\d$/);
      assert.notEqual(description, '', `${operation.operationId} ${status}`);
    }
  }
});

test('query parameters have their real types, although they are sent as text', () => {
  const parameters = document.paths['/api/workspaces/{workspaceId}/changes']?.get?.parameters ?? [];
  const types = Object.fromEntries(
    parameters.filter((parameter) => parameter.in === 'query').map(({ name, schema }) => [name, schema.type]),
  );
  assert.deepEqual(types, {
    sinceSeq: 'integer',
    limit: 'integer',
    includeComments: 'string',
    wait: 'integer',
    since: 'string',
    order: 'string',
  });
});

test('a response with two meanings has both bodies', () => {
  const restore = document.paths['/api/workspaces/{workspaceId}/restore']?.post;
  assert.deepEqual(restore?.responses['409']?.content?.['application/json']?.schema, {
    anyOf: [{ $ref: '#/components/schemas/RestoreConflict' }, { $ref: '#/components/schemas/Error' }],
  });
});
