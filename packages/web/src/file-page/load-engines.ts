/** Loads the engine together with its status display, which could not be loaded once offline. */
export async function loadEngines() {
  const [{ engines }, { OpenDocumentState }] = await Promise.all([
    import('../editing/engines.ts'),
    import('./OpenDocumentState.tsx'),
  ]);
  return { engines, OpenDocumentState };
}
