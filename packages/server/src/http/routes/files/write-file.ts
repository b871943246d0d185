import { quotaExceededBody, routes, versionConflictBody, writeConflictBody } from '@stoa/contract';
import { invalidRequest, isMediaType, WorkspaceError, type WritePrecondition } from '@stoa/core';
import {
  rejectingEarly,
  rejectWriteEarly,
  type WriteOutcome,
  writeFile,
} from '../../../service/files/write-file.ts';
import { operation } from '../../operation.ts';
import { declaredBytes, header, parseWritePrecondition, preconditionHeaders } from '../../request/headers.ts';
import { awaitsContinue, bodyPace, readBody, requirePlainBody } from '../../request/read-body.ts';
import { type HttpResponse, json, versionHeaders } from '../../responses/response.ts';

export const writeFileOperation = operation(
  routes.writeFile,
  async ({ deps, access, path, query, raw, response }) => {
    const declared = declaredBytes(raw);
    // Hidden, read-only and too large take precedence over the headers, so this check uses `absent`.
    let precondition: WritePrecondition = { kind: 'absent' };
    const rejectEarly = () =>
      rejectWriteEarly(deps.service, access, { path, declaredBytes: declared, precondition });
    const isBodyHeldBack = awaitsContinue(raw);
    const rejectable = { declaredBytes: declared, isBodyHeldBack, rejectEarly };
    const outcome = await rejectingEarly(deps.service, access, rejectable, async (asked) => {
      const sent = parseWritePrecondition(preconditionHeaders(raw));
      const contentType = parseContentType(header(raw, 'content-type'));
      requirePlainBody(raw);
      const emptyAllowed = parseAllowEmpty(header(raw, 'x-service-allow-empty'));
      if (declared === 0 && !emptyAllowed) throw new WorkspaceError('empty_body');
      precondition = sent;
      // A body of unknown length may be empty, which takes precedence over a missing precondition.
      if (asked && precondition.kind === 'none' && declared !== null) await rejectEarly();
      return writeFile(deps.service, access, {
        path,
        precondition,
        onConflict: query.conflict ?? 'keep',
        contentType,
        body: readBody(raw, response, bodyPace),
        emptyAllowed,
      });
    });
    return writeResponse(outcome);
  },
);

function writeResponse(outcome: WriteOutcome): HttpResponse {
  switch (outcome.kind) {
    case 'created':
    case 'updated':
    case 'unchanged': {
      const { kind, path, version } = outcome;
      return json(kind === 'created' ? 201 : 200, { path, version }, versionHeaders(version));
    }
    case 'conflict':
      return json(412, writeConflictBody(outcome));
    case 'refused':
      return json(412, versionConflictBody(outcome));
    case 'precondition_required':
      throw new WorkspaceError('precondition_required');
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return json(507, quotaExceededBody(outcome));
  }
}

function parseContentType(sent: string | null): string | null {
  if (sent === null || sent.trim() === '') return null;
  if (!isMediaType(sent)) {
    throw invalidRequest('Content-Type must be a media type such as text/markdown');
  }
  return sent;
}

// Other values are an error: the client's intent decides whether a broken upload empties a file.
function parseAllowEmpty(sent: string | null): boolean {
  if (sent === null) return false;
  if (sent === '1') return true;
  throw invalidRequest('X-Service-Allow-Empty takes only 1');
}
