import { parseWorkspacePath, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { RejectedPath } from '../engine/ports/remote-workspace.ts';

/**
 * Checks a path from the server. It must be in canonical form, so that it stays the same when parsed again. A malicious
 * server cannot inject other paths.
 */
export function readRemotePath(text: unknown): WorkspacePath | RejectedPath {
  if (typeof text !== 'string') return { path: String(text), detail: 'not a text' };
  try {
    const path = parseWorkspacePath(text);
    return path === text ? path : { path: text, detail: 'not in its canonical form' };
  } catch (error) {
    if (error instanceof WorkspaceError) return { path: text, detail: error.message };
    throw error;
  }
}
