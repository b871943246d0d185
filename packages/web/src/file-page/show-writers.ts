import { loadPart } from '../ui/load-part.ts';
import { showsWriters } from '../writers/shows-writers.ts';

export async function loadWriters() {
  return { default: (await import('./TextWriters.tsx')).TextWriters };
}

/** Shows who wrote what, once what draws it is there: offline it may not come, which is said. */
export async function showWriters(isShown: boolean): Promise<void> {
  if (!isShown || (await loadPart(loadWriters())) !== null) showsWriters.set(isShown);
}
