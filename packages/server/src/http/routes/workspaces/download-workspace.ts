import { routes } from '@stoa/contract';
import { downloadWorkspace } from '../../../service/exporting/download-workspace.ts';
import { operation } from '../../operation.ts';
import { rejectActiveDestination } from '../../request/cross-site.ts';
import { header } from '../../request/headers.ts';
import { attachmentNamed } from '../files/readable-response.ts';

export const downloadWorkspaceOperation = operation(
  routes.downloadWorkspace,
  ({ deps, access, raw, response }) => {
    rejectActiveDestination(header(raw, 'sec-fetch-dest'));
    return {
      kind: 'byte-pieces',
      headers: {
        'content-type': 'application/zip',
        'content-disposition': attachmentNamed(`${access.workspace.name.replace(/[/\\]/g, '-')}.zip`),
        'accept-ranges': 'none',
      },
      chunks: downloadWorkspace(deps.service, access, () => !response.closed),
    };
  },
);
