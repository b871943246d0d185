import { parseWorkspacePath, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { RefusedPath } from '../engine/ports/remote-workspace.ts';

/**
 * A path that the server sent, if it is one: in its one canonical spelling, so that nothing else comes out of it when it
 * is made again. A server that lies about paths gets nowhere with them.
 */
export function readRemotePath(text: unknown): WorkspacePath | RefusedPath {
  if (typeof text !== 'string') return { path: String(text), detail: 'not a text' };
  try {
    const path = parseWorkspacePath(text);
    return path === text ? path : { path: text, detail: 'not in its canonical spelling' };
  } catch (error) {
    if (error instanceof WorkspaceError) return { path: text, detail: error.message };
    throw error;
  }
}
