import { fileBytesLimit, WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access/workspace-access.ts';
import { planOf } from '../plans.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type IncomingContent, receiveContent } from './receive-content.ts';

/** The largest file that this workspace takes, in bytes. */
export function writeLimitBytes(deps: Pick<ServiceDeps, 'plans'>, access: WorkspaceAccess): number {
  return fileBytesLimit(planOf(deps.plans, access.workspace.planId), deps.plans.maxFileBytes);
}

/**
 * Receives a body and lets a transaction name it; bytes that no row names afterwards are given up.
 * @param change tells whether a row names the content now.
 * @throws WorkspaceError `file_too_large`, and what `change` throws
 */
export async function withIncoming<Outcome>(
  deps: Pick<ServiceDeps, 'blobs' | 'frontMatter' | 'plans'>,
  access: WorkspaceAccess,
  body: AsyncIterable<Uint8Array>,
  change: (incoming: { readonly content: IncomingContent }) => Promise<{
    readonly outcome: Outcome;
    readonly contentKept: boolean;
  }>,
): Promise<Outcome> {
  const workspaceId = access.workspace.id;
  const received = await receiveContent(deps.blobs, workspaceId, body, writeLimitBytes(deps, access));
  try {
    const { content, beginning } = received;
    const frontMatter =
      beginning === null
        ? ({ kind: 'read', frontMatter: null } as const)
        : await deps.frontMatter.read(workspaceId, beginning);
    const { outcome, contentKept } = await change({ content: { ...content, frontMatter } });
    if (!contentKept) await received.discard();
    return outcome;
  } catch (error) {
    // Only a refusal proves that no row names the bytes. After any other failure, and where the database stopped
    // answering, they are left to the sweeper.
    if (error instanceof WorkspaceError && error.code !== 'overloaded') await received.discard();
    throw error;
  }
}
