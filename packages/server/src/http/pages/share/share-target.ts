import { parseUrlPath, WorkspaceError } from '@stoa/core';
import { rawShareTarget } from '../../request/file-target.ts';

/** What the address of a request below `/s/` names. */
export interface ShareTarget {
  readonly token: string;
  /** Canonical, relative to a shared folder; empty for the shared item itself, null for what cannot be a path. */
  readonly below: string | null;
  /** From the page's own address to what lies below `/s/<token>/`, so that the app may have a path of its own. */
  readonly base: string;
}

export function parseShareTarget(rawTarget: string): ShareTarget {
  const { token, rest, below } = rawShareTarget(rawTarget);
  const depth = rest.split('/').length - 2;
  const base = rest === '' ? `${encodeURIComponent(token)}/` : '../'.repeat(depth);
  return { token, below: parseBelow(below), base };
}

function parseBelow(raw: string): string | null {
  if (raw === '') return '';
  try {
    return parseUrlPath(raw);
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}
