import { routes } from '@stoa/contract';
import { changeRecord } from '../../../records/change-record.ts';
import { readChanges } from '../../../service/feed/read-changes.ts';
import { readChangesSince } from '../../../service/feed/read-changes-since.ts';
import { abortedWith, operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const readChangesOperation = operation(
  routes.readChanges,
  async ({ deps, access, query, response, permit: round }) => {
    const { limit, includeComments, since } = query;
    if (since !== undefined) {
      await round.untilSent();
      const newestFirst = query.order === 'desc';
      const page = await readChangesSince(deps.service, access, {
        since: since.getTime(),
        limit,
        newestFirst,
        includeComments,
      });
      return json(200, { changes: page.changes.map(changeRecord), head: page.head });
    }
    const waitSeconds = query.wait ?? 0;
    const { changes, head, nextSeq } = await readChanges(deps.service, access, {
      sinceSeq: query.sinceSeq ?? 0,
      limit,
      includeComments,
      waitSeconds,
      signal: waitSeconds === 0 ? neverAborted : abortedWith(response),
      beforeReading: () => round.untilSent(),
    });
    return json(200, { changes: changes.map(changeRecord), head, nextSeq });
  },
);

const neverAborted = new AbortController().signal;
