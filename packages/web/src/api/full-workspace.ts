import { restoring as texts } from '../text/en/restoring.ts';
import { workspacePageAddress } from './addresses.ts';

/** A change was rejected because the workspace is full. */
export class WorkspaceFullError extends Error {
  readonly workspaceId: string;

  constructor(workspaceId: string, message: string) {
    super(message);
    this.workspaceId = workspaceId;
  }
}

/** A link to the page that shows what uses the space. */
export function linkToUsage(workspaceId: string): { readonly label: string; readonly address: string } {
  return { label: texts.seeUsage, address: workspacePageAddress(workspaceId, 'settings/usage') };
}

/** The links in the notice of a failure. */
export function linksAfter(failure: unknown): readonly ReturnType<typeof linkToUsage>[] {
  return failure instanceof WorkspaceFullError ? [linkToUsage(failure.workspaceId)] : [];
}
