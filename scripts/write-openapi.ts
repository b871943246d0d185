import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '@stoa/contract';
import { errorRows } from './errors-table.ts';

/**
 * Writes what documents take from the contract: docs/openapi.json, and the table of refusals at the end of
 * docs/interface/errors.md. A test fails while they are not in step.
 */
const docs = new URL('../docs/', import.meta.url);
await writeFile(new URL('openapi.json', docs), `${JSON.stringify(openApiDocument(), null, 2)}\n`);

const errorsPage = new URL('interface/errors.md', docs);
const page = await readFile(errorsPage, 'utf8');
const head = '| Status | Text | Beside it |\n| --- | --- | --- |\n';
const tableAt = page.lastIndexOf(head) + head.length;
await writeFile(errorsPage, `${page.slice(0, tableAt)}${errorRows().join('\n')}\n`);
