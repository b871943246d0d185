import { routes, type VersionRecord } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { type ListedVersion, listVersions } from '../../../service/files/list-versions.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const listVersionsOperation = operation(routes.listVersions, async ({ deps, access, query }) => {
  const versions = await listVersions(deps.service, access, { path: parseWorkspacePath(query.path) });
  return json(200, { versions: versions.map(versionRecord) });
});

function versionRecord({ row, movedFrom }: ListedVersion): VersionRecord {
  return {
    version: row.version,
    size: row.sizeBytes,
    contentType: row.contentType,
    contentHash: row.contentHash,
    op: row.op,
    principal: row.principal,
    actorId: row.actorId,
    actorKeyId: row.actorKeyId,
    actorLabel: row.actorLabel,
    createdAt: new Date(row.createdAt).toISOString(),
    ...(movedFrom === null ? {} : { movedFrom }),
    ...(row.op === 'conflict'
      ? {
          conflictBase: row.conflictBase?.version ?? null,
          conflictBaseHash: row.conflictBase?.contentHash ?? null,
        }
      : {}),
  };
}
