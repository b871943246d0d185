import { loadPart } from '../ui/load-part.ts';
import { showsWriters } from '../writers/shows-writers.ts';

export async function loadWriters() {
  return { default: (await import('./TextWriters.tsx')).TextWriters };
}

/** Shows or hides line authors, after loading their code. Reports a failed load, for example offline. */
export async function showWriters(isShown: boolean): Promise<void> {
  if (!isShown || (await loadPart(loadWriters())) !== null) showsWriters.set(isShown);
}
