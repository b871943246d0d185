// docs/decisions/0026-content-index.md
import { compareIndex } from '../content-search/index-contents.ts';
import { createIndexedTexts } from '../content-search/indexed-texts.ts';
import { createCurrentFiles } from '../search/current-files.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { workspaceIds } from './check-installation.ts';

/** The state of the content index. Missing contents are normal: the service adds them, and searches read them. */
export interface WordIndexReport {
  readonly bytes: number;
  readonly entries: number;
  /** Contents of current files that the index lacks; a content counts once for each audience. */
  readonly missing: number;
}

/** Compares the index with the current files of all workspaces, and changes nothing. */
export async function checkWordIndex(
  { store, wordIndex }: Pick<ServiceDeps, 'store' | 'wordIndex'>,
  progress: (step: string) => void,
): Promise<WordIndexReport> {
  progress('the content index');
  const indexedTexts = createIndexedTexts(wordIndex, () => {});
  // Each list is read once.
  const deps = { store, indexedTexts, currentFiles: createCurrentFiles(store, { filesMax: 0 }) };
  let entries = 0;
  let missing = 0;
  for await (const workspaceId of workspaceIds(store)) {
    entries += (await indexedTexts.known(workspaceId)).count;
    missing += (await compareIndex(deps, workspaceId))?.missingCount ?? 0;
    progress(`the content index: ${entries} contents, ${missing} missing`);
  }
  return { bytes: await wordIndex.sizeBytes(), entries, missing };
}
