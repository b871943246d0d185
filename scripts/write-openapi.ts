import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openApiDocument } from '@stoa/contract';
import { errorRows } from './errors-table.ts';
import { routeTableSource } from './route-table.ts';

/**
 * Writes the files that are generated from the contract: docs/openapi.json, the table of errors at the end of
 * docs/interface/errors.md, and the route table for the client. Tests fail while they are outdated.
 */
const docs = new URL('../docs/', import.meta.url);
await writeFile(new URL('openapi.json', docs), `${JSON.stringify(openApiDocument(), null, 2)}\n`);

const errorsPage = new URL('interface/errors.md', docs);
const page = await readFile(errorsPage, 'utf8');
const head = '| Status | Text | Details |\n|---|---|---|\n';
const tableAt = page.lastIndexOf(head) + head.length;
await writeFile(errorsPage, `${page.slice(0, tableAt)}${errorRows().join('\n')}\n`);

const root = new URL('../', import.meta.url);
const table = fileURLToPath(new URL('packages/contract/src/routes/route-table.ts', root));
await writeFile(table, routeTableSource());
await promisify(execFile)(fileURLToPath(new URL('node_modules/.bin/biome', root)), [
  'format',
  '--write',
  table,
]);
