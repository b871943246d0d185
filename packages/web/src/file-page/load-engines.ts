/** Loads the engine together with its status display, which could not be loaded once offline. */
export async function loadEngines() {
  const [{ engines }, { LivingState }] = await Promise.all([
    import('../editing/engines.ts'),
    import('./LivingState.tsx'),
  ]);
  return { engines, LivingState };
}
