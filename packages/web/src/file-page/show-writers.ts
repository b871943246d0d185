import { loadPart } from '../ui/load-part.ts';
import { showsWriters } from '../writers/shows-writers.ts';

export async function loadWriters() {
  return { default: (await import('./TextWriters.tsx')).TextWriters };
}

export async function loadEditorWriters() {
  return { default: (await import('./EditorWriters.tsx')).EditorWriters };
}

/** Shows or hides line authors, after loading their code. Reports a failed load, for example offline. */
export async function showWriters(isShown: boolean, mode: 'read' | 'edit'): Promise<void> {
  const part = mode === 'edit' ? loadEditorWriters : loadWriters;
  if (!isShown || (await loadPart<unknown>(part())) !== null) showsWriters.set(isShown);
}
