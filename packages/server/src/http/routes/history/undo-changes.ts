import { routes, type UndoneChanges, type UndoneFileRecord } from '@stoa/contract';
import { parsePathPrefix, parseWorkspacePath } from '@stoa/core';
import { undoChanges } from '../../../service/undo/undo-changes.ts';
import type { UndoneFile } from '../../../service/undo/undo-file.ts';
import type { UndoneActor } from '../../../service/undo/undone-actor.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const undoChangesOperation = operation(routes.undoChanges, async ({ deps, access, body }) => {
  const { actorKeyId, actorId = '', since, until, path, afterPath, dryRun = false } = body;
  const actor: UndoneActor =
    actorKeyId === undefined ? { kind: 'person', userId: actorId } : { kind: 'key', keyId: actorKeyId };
  const { files, nextPath } = await undoChanges(deps.service, access, {
    actor,
    since: since.getTime(),
    until: until?.getTime() ?? null,
    prefix: parsePathPrefix(path ?? ''),
    afterPath: afterPath === undefined ? null : parseWorkspacePath(afterPath),
    dryRun,
  });
  const response: UndoneChanges = { dryRun, files: files.map(undoneFile), totals: totalsOf(files), nextPath };
  return json(200, response);
});

function undoneFile({ path, outcome, version, reason, movedFrom, lines }: UndoneFile): UndoneFileRecord {
  return {
    path,
    outcome,
    ...(version === null ? {} : { version }),
    ...(reason === null ? {} : { reason }),
    ...(movedFrom === null ? {} : { movedFrom }),
    ...(lines === null ? {} : { linesAdded: lines.added, linesRemoved: lines.removed }),
  };
}

function totalsOf(files: readonly UndoneFile[]): UndoneChanges['totals'] {
  const totals = { restored: 0, merged: 0, deleted: 0, recreated: 0, unchanged: 0, left: 0 };
  for (const { outcome } of files) totals[outcome] += 1;
  return totals;
}
