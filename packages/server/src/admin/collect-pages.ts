const pageRows = 500;
/** Bounds a listing on a terminal. A larger database has other tools. */
const pagesMax = 2000;

/** Collects all rows of a paged listing. Each page starts after the last id. */
export async function collectPages<Row extends { readonly id: string }>(
  readPage: (afterId: string, limit: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let page = 0; page < pagesMax; page += 1) {
    const next = await readPage(rows.at(-1)?.id ?? '', pageRows);
    rows.push(...next);
    if (next.length < pageRows) return rows;
  }
  throw new Error(`the listing is longer than ${pageRows * pagesMax} rows`);
}
