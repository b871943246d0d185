import { routes } from '@stoa/contract';
import { parsePathPrefix } from '@stoa/core';
import { withListing } from '../../../service/files/with-listing.ts';
import { operation } from '../../operation.ts';
import { listingPieces } from './listing-pieces.ts';

export const listFilesOperation = operation(routes.listFiles, ({ deps, access, query }) => {
  const prefix = parsePathPrefix(query.prefix);
  return {
    kind: 'json-pieces',
    produce: (write) =>
      withListing(deps.service, access, { prefix }, async (listing) => {
        for await (const piece of listingPieces(listing)) await write(piece);
      }),
  };
});
