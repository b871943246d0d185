/** Loads the engine together with the parts that need it, which could not be loaded once offline. */
export async function loadEngines() {
  const [{ engines }, { OpenDocumentState }, { tickTask }] = await Promise.all([
    import('../editing/engines.ts'),
    import('./OpenDocumentState.tsx'),
    import('./tick-task.ts'),
  ]);
  return { engines, OpenDocumentState, tickTask };
}
