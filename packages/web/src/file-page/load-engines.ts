/** What shows the state of a typed text is there whenever an engine is: offline it could not be loaded any more. */
export async function loadEngines() {
  const [{ engines }, { LivingState }] = await Promise.all([
    import('../editing/engines.ts'),
    import('./LivingState.tsx'),
  ]);
  return { engines, LivingState };
}
