import { routes, versionConflictBody } from '@stoa/contract';
import { deleteFile } from '../../../service/files/delete-file.ts';
import { readFile } from '../../../service/files/read-file.ts';
import { operation } from '../../operation.ts';
import { parseExpectedVersion, preconditionHeaders } from '../../request/headers.ts';
import { json } from '../../responses/response.ts';

export const deleteFileOperation = operation(routes.deleteFile, async ({ deps, access, path, raw }) => {
  // A missing file takes precedence over invalid headers.
  await readFile(deps.service, access, { path, opens: 'perhaps' });
  const expected = parseExpectedVersion(preconditionHeaders(raw));
  const outcome = await deleteFile(deps.service, access, { path, expected });
  switch (outcome.kind) {
    case 'deleted':
      return { kind: 'empty', status: 204 };
    case 'conflict':
      return json(412, versionConflictBody(outcome));
  }
});
