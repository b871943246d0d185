import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '@stoa/contract';

/** Writes docs/openapi.json anew after the contract has changed. A test fails while the two are not in step. */
await writeFile(
  new URL('../docs/openapi.json', import.meta.url),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
);
