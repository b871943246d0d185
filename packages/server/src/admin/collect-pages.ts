const pageRows = 500;
/** More than any one machine's terminal is for; a database with more has other tools. */
const pagesMax = 2000;

/** All rows of a listing that is read by pages, each after the id of the last. */
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
