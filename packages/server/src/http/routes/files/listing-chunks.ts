import { isMarkdown } from '@stoa/core';
import type { Listing } from '../../../service/files/with-listing.ts';
import type { DetailedFileRow, FileRow } from '../../../service/ports/files.ts';
import type { FrontMatter } from '../../../service/ports/front-matter.ts';

/**
 * Yields the JSON of a listing, one chunk for each page. The text is built directly, because a listing may have
 * 100,000 rows.
 */
export async function* listingChunks<Row extends FileRow>(
  listing: Listing<Row>,
  entryText: (file: Row) => string,
): AsyncGenerator<string, void, undefined> {
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

/** Content types are few and repeat, so each is serialised once. */
export function entryWriter(): (file: FileRow) => string {
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

/** The same applies to the users who changed the files. */
export function detailedEntryWriter(): (file: DetailedFileRow) => string {
  const entryText = entryWriter();
  const makerTexts = new Map<string, string>();
  const makerText = ({ principal, actorId, actorKeyId, actorLabel }: DetailedFileRow) => {
    const maker = `${principal} ${actorId} ${actorKeyId} ${actorLabel === null} ${actorLabel}`;
    let text = makerTexts.get(maker);
    if (text === undefined) {
      text = JSON.stringify({ principal, actorId, actorKeyId, actorLabel }).slice(1, -1);
      makerTexts.set(maker, text);
    }
    return text;
  };
  return (file) => {
    const { path, contentType, contentHash, changedAt } = file;
    const frontMatter = isMarkdown(path, contentType) ? file.frontMatter : null;
    const changed = `"contentHash":"${contentHash}","changedAt":"${new Date(changedAt).toISOString()}"`;
    const found = frontMatter === null ? '' : `,"frontMatter":${JSON.stringify(foundIn(frontMatter))}`;
    return `${entryText(file).slice(0, -1)},${changed},${makerText(file)}${found}}`;
  };
}

function foundIn(frontMatter: FrontMatter): Partial<Record<keyof FrontMatter, string>> {
  const { date, title, view } = frontMatter;
  return {
    ...(date === null ? {} : { date }),
    ...(title === null ? {} : { title }),
    ...(view === null ? {} : { view }),
  };
}
