/** Enough to fill the palette without scrolling. */
export const recentFilesMax = 12;

/** Newest first, each once. */
export function withRecentFile(recent: readonly string[], path: string): readonly string[] {
  return [path, ...recent.filter((other) => other !== path)].slice(0, recentFilesMax);
}

/** What was kept on this device, which may be anything. */
export function parseRecentFiles(stored: string | null): readonly string[] {
  if (stored === null) return [];
  try {
    const value: unknown = JSON.parse(stored);
    if (!Array.isArray(value)) return [];
    return value.filter((path) => typeof path === 'string').slice(0, recentFilesMax);
  } catch {
    return [];
  }
}
