import { routes } from '@stoa/contract';
import { readFile } from '../../../service/files/read-file.ts';
import { operation } from '../../operation.ts';
import { header } from '../../request/headers.ts';
import { readableResponse } from './readable-response.ts';

export const readFileOperation = operation(routes.readFile, async ({ deps, access, path, query, raw }) => {
  // A caller that already has this version may get a 304 without the bytes.
  const opens = header(raw, 'if-none-match') === null ? 'surely' : 'perhaps';
  const readable = await readFile(deps.service, access, { path, opens });
  return readableResponse(raw, readable, query);
});

export const headFileOperation = operation(routes.headFile, async ({ deps, access, path, query, raw }) => {
  const readable = await readFile(deps.service, access, { path, opens: 'perhaps' });
  return readableResponse(raw, readable, query);
});
