import { restoring as texts } from '../text/en/restoring.ts';
import { workspacePageAddress } from './addresses.ts';

/** A change for which the workspace has no room. */
export class WorkspaceFullError extends Error {
  readonly workspaceId: string;

  constructor(workspaceId: string, message: string) {
    super(message);
    this.workspaceId = workspaceId;
  }
}

/** Where somebody finds out what could go. */
export function linkToUsage(workspaceId: string): { readonly label: string; readonly address: string } {
  return { label: texts.seeUsage, address: workspacePageAddress(workspaceId, 'settings/usage') };
}

/** The links that a notice of a failure has. */
export function linksAfter(failure: unknown): readonly ReturnType<typeof linkToUsage>[] {
  return failure instanceof WorkspaceFullError ? [linkToUsage(failure.workspaceId)] : [];
}
