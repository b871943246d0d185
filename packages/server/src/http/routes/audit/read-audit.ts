import { routes } from '@stoa/contract';
import { auditLines, auditRecord } from '../../../records/audit-record.ts';
import { exportAudit, type ReadEntry, readAuditPage } from '../../../service/audit/read-audit.ts';
import { operation } from '../../operation.ts';
import { rejectActiveDestination } from '../../request/cross-site.ts';
import { header } from '../../request/headers.ts';
import { json } from '../../responses/response.ts';
import { attachmentNamed } from '../files/readable-response.ts';

export const readAuditOperation = operation(routes.readAudit, async ({ deps, access, query, raw }) => {
  const filter = {
    kind: query.kind ?? null,
    personId: query.person ?? null,
    since: query.since?.getTime() ?? null,
    until: query.until?.getTime() ?? null,
  };
  if (query.format === 'jsonl') {
    rejectActiveDestination(header(raw, 'sec-fetch-dest'));
    return {
      kind: 'byte-pieces',
      headers: {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': attachmentNamed('audit-log.jsonl'),
        'accept-ranges': 'none',
      },
      chunks: lines(exportAudit(deps.service, access, filter)),
    };
  }
  const page = { cursor: query.cursor ?? null, limit: query.limit };
  const { entries, nextCursor } = await readAuditPage(deps.service, access, filter, page);
  return json(200, { entries: entries.map(auditRecord), nextCursor });
});

async function* lines(pages: AsyncIterable<readonly ReadEntry[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const page of pages) yield encoder.encode(auditLines(page));
}
