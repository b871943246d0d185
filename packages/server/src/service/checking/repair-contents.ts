import { faultOf } from '../contents/find-fault.ts';
import { releaseContentScript, repairContentScript } from '../contents/quarantine.ts';
import type { BlobLocation } from '../ports/blobs.ts';
import type { CheckedContent } from '../ports/checks.ts';
import type { ContentFault, QuarantinedContent } from '../ports/scrub.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { checkContents } from './check-contents.ts';

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'clock'>;

/** Source of correct bytes: a backup. Null when the backup does not have them. */
export type BringBack = (content: CheckedContent) => Promise<BlobLocation | null>;

const pageRows = 100;
/** Maximum number of faults outside quarantine in one run; another run repairs more. */
const wrongMax = 100_000;

/** Restores one content. @param fault set when it is not in quarantine yet. @returns whether it is correct now. */
export async function repairContent(
  { store, blobs, clock }: Deps,
  content: CheckedContent,
  fault: ContentFault | null,
  bringBack: BringBack,
): Promise<boolean> {
  const { workspaceId, contentHash, sizeBytes, generation } = content;
  const location = await bringBack(content);
  if (location === null) return false;
  const wrong = fault === null ? null : { generation, fault };
  const repair = { workspaceId, contentHash, sizeBytes, location, wrong, now: clock() };
  const kept = await store.transact(repairContentScript, repair);
  if (!kept && location.kind === 'stored') {
    await blobs.remove({ workspaceId, contentHash, generation: location.generation });
  }
  return kept;
}

/**
 * Reads quarantined contents, releases those that are correct after all, and restores the others from a backup, if any.
 */
export async function repairQuarantined(
  deps: Deps,
  bringBack: BringBack | null,
): Promise<{ readonly released: number; readonly back: number }> {
  const { store, blobs } = deps;
  let released = 0;
  let back = 0;
  let after: Pick<QuarantinedContent, 'workspaceId'> & { contentHash: string } = {
    workspaceId: '',
    contentHash: '',
  };
  for (;;) {
    const page = await store.reader.scrub.quarantinedPage({ after, limit: pageRows });
    const last = page.at(-1);
    if (last === undefined) return { released, back };
    for (const content of page) {
      if ((await faultOf(blobs, content, true)) === null) {
        await store.transact(releaseContentScript, {
          workspaceId: content.workspaceId,
          contentHash: content.contentHash,
          foundAt: content.foundAt,
        });
        released += 1;
      } else if (bringBack !== null && (await repairContent(deps, content, null, bringBack))) back += 1;
    }
    after = last;
  }
}

/** Finds contents that are missing or, with `readBytes`, corrupt, and restores them. @returns their number. */
export async function repairLost(
  deps: Deps,
  { readBytes, bringBack }: { readonly readBytes: boolean; readonly bringBack: BringBack },
  progress: (step: string) => void,
): Promise<number> {
  const lost: { readonly content: CheckedContent; readonly fault: ContentFault }[] = [];
  await checkContents(deps, {
    readBytes,
    report(fault, content) {
      // Drops the bytes: there may be many contents.
      if (lost.length < wrongMax) lost.push({ fault, content: { ...content, bytes: null } });
    },
    progress: (step) => progress(`${step}; ${lost.length} lost`),
  });
  let back = 0;
  for (const { content, fault } of lost) {
    if (await repairContent(deps, content, fault, bringBack)) back += 1;
    progress(`${back} of ${lost.length} contents brought back`);
  }
  return back;
}
