import type { CheckReader } from '../ports/checks.ts';

const rowsOfPage = 10_000;

export interface ContentsSum {
  readonly count: number;
  readonly bytes: number;
}

/** Counts the contents for progress reports; the numbers may change during the work. */
export async function sumContents(
  checks: Pick<CheckReader, 'contentsPage'>,
): Promise<{ readonly all: ContentsSum; readonly large: ContentsSum }> {
  const all = { count: 0, bytes: 0 };
  const large = { count: 0, bytes: 0 };
  let after: { workspaceId: string; contentHash: string } = { workspaceId: '', contentHash: '' };
  for (;;) {
    const page = await checks.contentsPage({ after, limit: rowsOfPage, withBytes: false });
    const last = page.at(-1);
    if (last === undefined) return { all, large };
    for (const { sizeBytes, generation } of page) {
      for (const sum of generation === null ? [all] : [all, large]) {
        sum.count += 1;
        sum.bytes += sizeBytes;
      }
    }
    after = last;
  }
}
