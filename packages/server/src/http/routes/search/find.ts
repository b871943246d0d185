import { type FindResultRecord, routes } from '@stoa/contract';
import { fileNameOf } from '@stoa/core';
import { findFiles } from '../../../service/find/find-files.ts';
import { actorNames } from '../../../service/people/actor-names.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const findOperation = operation(routes.find, async ({ deps, access, query }) => {
  const beganAt = performance.now();
  const { q, limit, cursor = '0' } = query;
  const found = await findFiles(deps.service, access, { query: q, limit, offset: Number(cursor) });
  const nameOf = actorNames(deps.service.store.reader.users);
  const results: FindResultRecord[] = [];
  for (const { path, file, title, score, matches } of found.results) {
    results.push({
      path,
      name: fileNameOf(path),
      isDir: file === null,
      version: file?.version ?? null,
      title,
      score,
      matches: matches.map(({ ranges, ...line }) => ({
        ...line,
        ranges: ranges.map(([start, end]) => [start, end]),
      })),
      changedAt: file === null ? null : new Date(file.changedAt).toISOString(),
      changedBy: file === null ? null : await nameOf(file),
    });
  }
  return json(200, {
    results,
    total: found.total,
    isTotalExact: found.isTotalExact,
    nextCursor: found.nextOffset === null ? null : String(found.nextOffset),
    tookMs: Math.round((performance.now() - beganAt) * 10) / 10,
  });
});
