import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { readVersion } from '../../../service/files/read-file.ts';
import { operation } from '../../operation.ts';
import { readableResponse } from '../files/readable-response.ts';

export const readVersionOperation = operation(routes.readVersion, async ({ deps, access, query, raw }) => {
  const path = parseWorkspacePath(query.path);
  const { version, contentHash = null, preview } = query;
  const readable = await readVersion(deps.service, access, { path, version, contentHash });
  return readableResponse(raw, readable, { download: false, preview });
});
