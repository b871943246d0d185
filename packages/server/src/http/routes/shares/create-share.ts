import { routes } from '@stoa/contract';
import { type ContentHash, parseWorkspacePath } from '@stoa/core';
import { hashPassword, inHashQueue } from '../../../auth/password-hash.ts';
import { shareRecord } from '../../../records/share-record.ts';
import { createShare } from '../../../service/shares/create-share.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const createShareOperation = operation(routes.createShare, async (request) => {
  const { deps, access, body, clientAddress } = request;
  const input = {
    path: parseWorkspacePath(body.path),
    kind: body.kind,
    access: body.access,
    password: body.password ?? null,
    pinnedVersion: body.pinnedVersion ?? null,
    // The contract's schema has checked its form.
    pinnedContentHash: (body.pinnedContentHash ?? null) as ContentHash | null,
    allowScripts: body.allowScripts ?? false,
  };
  const share = await createShare(deps.service, access, input, (password) =>
    inHashQueue('share', clientAddress, () => hashPassword(password)),
  );
  return json(201, { share: shareRecord(deps, share) });
});
