import { routes } from '@stoa/contract';
import { streamExport } from '../../../service/exporting/stream-export.ts';
import { operation } from '../../operation.ts';
import { rejectActiveDestination } from '../../request/cross-site.ts';
import { header } from '../../request/headers.ts';
import { attachmentNamed } from '../files/readable-response.ts';

export const exportWorkspaceOperation = operation(
  routes.exportWorkspace,
  ({ deps, access, raw, response }) => {
    rejectActiveDestination(header(raw, 'sec-fetch-dest'));
    return {
      kind: 'byte-pieces',
      headers: {
        'content-type': 'application/x-tar',
        'content-disposition': attachmentNamed(`${access.workspace.name.replace(/[/\\]/g, '-')}.tar`),
        'accept-ranges': 'none',
      },
      chunks: streamExport(deps.service, access, () => !response.closed),
    };
  },
);
