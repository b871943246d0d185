import { parseUrlPath, WorkspaceError } from '@stoa/core';
import { rawShareTarget } from '../../request/file-target.ts';

/** The parts of an address below `/s/`. */
export interface ShareTarget {
  readonly token: string;
  /** Canonical, relative to a shared folder; empty for the shared item itself, null if it cannot be a path. */
  readonly below: string | null;
  /** Relative address of `/s/<token>/` from the page, so that the app may have a path prefix. */
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
