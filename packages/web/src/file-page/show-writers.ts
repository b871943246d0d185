import { loadPart } from '../ui/load-part.ts';
import { showsWriters } from '../writers/shows-writers.ts';

export async function loadWriters() {
  return { default: (await import('./TextWriters.tsx')).TextWriters };
}

export async function loadEditorWriters() {
  return { default: (await import('./EditorWriters.tsx')).EditorWriters };
}

/** Shows who wrote what, once what draws it is there: offline it may not come, which is said. */
export async function showWriters(isShown: boolean, mode: 'read' | 'edit'): Promise<void> {
  const part = mode === 'edit' ? loadEditorWriters : loadWriters;
  if (!isShown || (await loadPart<unknown>(part())) !== null) showsWriters.set(isShown);
}
