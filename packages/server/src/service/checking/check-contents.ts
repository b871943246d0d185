import { faultOf } from '../contents/find-fault.ts';
import type { CheckedContent } from '../ports/checks.ts';
import type { ContentFault } from '../ports/scrub.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { sumContents } from './sum-contents.ts';

export const contentRules = {
  stored_bytes_missing: 'Bytes that a row names are missing from the blob store, or have the wrong size.',
  stored_bytes_wrong: 'Stored bytes do not match their hash.',
} as const satisfies Record<ContentFault, string>;
export type ContentRule = ContentFault;

/** Objects that are read concurrently. */
const atOnce = 8;
const rowsOfPage = 100;

export interface ContentsCheck {
  /** Whether every byte is read and hashed; else only the presence and size of large contents are checked. */
  readonly readBytes: boolean;
  readonly report: (rule: ContentRule, content: CheckedContent) => void;
  /** Receives the progress as text: `3 of 7 contents, 300 of 700 bytes read`. */
  readonly progress: (step: string) => void;
}

/** Checks every stored content. @returns the number of contents, and the bytes read. */
export async function checkContents(
  {
    store,
    blobs,
  }: { readonly store: Pick<ServiceDeps['store'], 'reader'>; readonly blobs: ServiceDeps['blobs'] },
  { readBytes, report, progress }: ContentsCheck,
): Promise<{ readonly contents: number; readonly bytesRead: number }> {
  const { all } = await sumContents(store.reader.checks);
  let contents = 0;
  let bytesRead = 0;
  let after: { workspaceId: string; contentHash: string } = { workspaceId: '', contentHash: '' };
  for (;;) {
    const page = await store.reader.checks.contentsPage({ after, limit: rowsOfPage, withBytes: readBytes });
    const last = page.at(-1);
    if (last === undefined) return { contents, bytesRead };
    const waiting = page.values();
    const check = async () => {
      for (const content of waiting) {
        const rule = await faultOf(blobs, content, readBytes);
        if (rule !== null) report(rule, content);
        contents += 1;
        if (readBytes) bytesRead += content.sizeBytes;
        // After each content, because a page of large ones takes minutes.
        const looked = `${contents} of ${all.count} contents`;
        progress(readBytes ? `${looked}, ${bytesRead} of ${all.bytes} bytes read` : looked);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, check));
    after = last;
  }
}
