import type { Listing } from '../../../service/files/with-listing.ts';
import type { FileRow } from '../../../service/ports/files.ts';

/** The JSON of a listing, a piece for each page: put together by hand, because a listing may have 100,000 rows. */
export async function* listingPieces(listing: Listing): AsyncGenerator<string, void, undefined> {
  const entryText = entryWriter();
  let separator = '';
  yield '{"entries":[';
  for await (const page of listing.pages) {
    let text = '';
    for (const file of page) {
      text += separator + entryText(file);
      separator = ',';
    }
    yield text;
  }
  const icons = JSON.stringify(Object.fromEntries(listing.icons));
  const orders = JSON.stringify(Object.fromEntries(listing.orders));
  const privatePaths = JSON.stringify(listing.privatePaths);
  yield `],"icons":${icons},"orders":${orders},"privatePaths":${privatePaths},"nextCursor":null}`;
}

/** Types are few and repeat: each is written once. */
function entryWriter(): (file: FileRow) => string {
  const typeTexts = new Map<string, string>();
  return ({ path, sizeBytes, contentType, version }) => {
    let typeText = typeTexts.get(contentType);
    if (typeText === undefined) {
      typeText = JSON.stringify(contentType);
      typeTexts.set(contentType, typeText);
    }
    return `{"path":${JSON.stringify(path)},"size":${sizeBytes},"contentType":${typeText},"version":${version}}`;
  };
}
