import { routes, type WrittenLinesRecord } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { blameFile, type WrittenLines } from '../../../service/editing/blame-file.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const blameFileOperation = operation(routes.blameFile, async ({ deps, access, query }) => {
  const { file, lines } = await blameFile(deps.service, access, { path: parseWorkspacePath(query.path) });
  const { path, version, contentHash } = file;
  return json(200, { path, version, contentHash, lines: lines.map(writtenLines) });
});

function writtenLines({ from, to, by: { row, movedFrom }, orEarlier }: WrittenLines): WrittenLinesRecord {
  return {
    from,
    to,
    version: row.version,
    createdAt: new Date(row.createdAt).toISOString(),
    principal: row.principal,
    actorId: row.actorId,
    actorKeyId: row.actorKeyId,
    actorLabel: row.actorLabel,
    ...(movedFrom === null ? {} : { movedFrom }),
    ...(orEarlier ? { orEarlier } : {}),
  };
}
