import { WorkspaceError } from '../errors.ts';
import type { ContentHash } from '../files/content.ts';

const imageIcon = /^image:([0-9a-f]{64})$/;

/** How a workspace's icon names its uploaded image. Interfaces show it as an address. */
export function imageIconOf(contentHash: ContentHash): string {
  return `image:${contentHash}`;
}

/** The hash of the uploaded image that an icon names, or null for an emoji or the name of an icon. */
export function imageHashOf(icon: string | null): ContentHash | null {
  return (icon === null ? undefined : (imageIcon.exec(icon)?.[1] as ContentHash | undefined)) ?? null;
}

/**
 * The icon that a person may set: an emoji, the name of an icon, or the uploaded image that is there already. An address
 * is none of them: shown as an image, it would tell its server who looks at the workspace.
 * @throws WorkspaceError `invalid_request`
 */
export function parseWorkspaceIcon(wanted: string | null, current: string | null): string | null {
  if (wanted === null || wanted === current) return wanted;
  if (imageHashOf(wanted) !== null || /[/\\]/.test(wanted)) {
    const rule = 'icon must be an emoji or the name of an icon; to use an image, upload it';
    throw new WorkspaceError('invalid_request', {}, rule);
  }
  return wanted;
}
