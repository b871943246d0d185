import { routes } from '@stoa/contract';
import { parsePathPrefix } from '@stoa/core';
import { withDetailedListing, withListing } from '../../../service/files/with-listing.ts';
import { operation } from '../../operation.ts';
import { detailedEntryWriter, entryWriter, listingChunks } from './listing-chunks.ts';

export const listFilesOperation = operation(routes.listFiles, ({ deps, access, query }) => {
  const prefix = parsePathPrefix(query.prefix);
  return {
    kind: 'json-pieces',
    produce: (write) =>
      query.details
        ? withDetailedListing(deps.service, access, { prefix }, async (listing) => {
            for await (const chunk of listingChunks(listing, detailedEntryWriter())) await write(chunk);
          })
        : withListing(deps.service, access, { prefix }, async (listing) => {
            for await (const chunk of listingChunks(listing, entryWriter())) await write(chunk);
          }),
  };
});
