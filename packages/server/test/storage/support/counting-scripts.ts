import { type ContentHash, parseWorkspacePath } from '@stoa/core';
import { defineScript } from '../../../src/service/ports/script.ts';
import { hashOf } from './store-driver.ts';
import { plainChange } from './store-scripts.ts';

export interface CountingWrite {
  readonly workspaceId: string;
  readonly path: string;
  /** The version that the writer believes to be there, 0 for none. */
  readonly baseVersion: number;
}

export type CountingOutcome =
  | { readonly kind: 'written'; readonly version: number; readonly seq: number }
  | { readonly kind: 'conflict'; readonly version: number };

/** The next version of a file, unless another write came first: a write without its content. */
export const countingScript = defineScript<CountingWrite, CountingOutcome>(
  'test.count',
  async (tx, { workspaceId, path: text, baseVersion }) => {
    const path = parseWorkspacePath(text);
    await tx.write.lockWorkspace(workspaceId);
    const current = await tx.files.find(workspaceId, path);
    const existing = current?.version ?? 0;
    if (existing !== baseVersion) return { kind: 'conflict', version: existing };
    const version = existing + 1;
    const seq = await tx.write.takeSeqs(workspaceId, 1, { bytes: 1, files: current === null ? 1 : 0 });
    const contentHash: ContentHash = hashOf('c');
    const file = { workspaceId, path, incarnation: current?.incarnation ?? seq, version, sizeBytes: 1 };
    await tx.write.putFile({ ...file, contentType: 'text/plain', contentHash });
    await tx.write.insertChange({ ...plainChange(workspaceId, path), seq, version });
    return { kind: 'written', version, seq };
  },
);

/** Like `countingScript`, but it looks up its workspace itself. */
export const hiddenCountingScript = defineScript<{ readonly write: CountingWrite }, CountingOutcome>(
  'test.count-hidden',
  async (tx, { write }, context) => await countingScript.run(tx, write, context),
);
