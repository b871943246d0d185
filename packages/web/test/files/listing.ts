import { indexListing, type ListData, type Listing, listDataOf } from '../../src/api/listing-index.ts';

/** Creates a list of files, by default each with one byte in version 1. */
export function dataOf(
  files: readonly (
    | string
    | {
        readonly path: string;
        readonly size?: number;
        readonly changedAt?: string;
        readonly version?: number;
      }
  )[],
  more: {
    readonly icons?: ListData['icons'];
    readonly orders?: ListData['orders'];
    readonly privatePaths?: string[];
  } = {},
): ListData {
  const entries = files.map((file) => ({
    size: 1,
    version: 1,
    contentType: 'text/markdown',
    ...(typeof file === 'string' ? { path: file } : file),
  }));
  const { icons = {}, orders = {}, privatePaths = [] } = more;
  return listDataOf({ entries, icons: { ...icons }, orders: { ...orders }, privatePaths, nextCursor: null });
}

export function listingOf(...given: Parameters<typeof dataOf>): Listing {
  return indexListing(dataOf(...given));
}
