import { type WorkspaceTheme, workspaceThemes } from '@stoa/core';

/** What a person chose for all their workspaces on this device. */
export type ThemePreference = 'workspace' | 'system' | WorkspaceTheme;

const preferenceKey = 'stoa.theme-preference';
/** What `index.html` applies before the first paint: a theme, or `system`. */
const lastKey = 'stoa.theme';

/**
 * The theme in force: the person's preference, else the workspace's, else light or dark by the system.
 * @param workspaceTheme null outside a workspace, and where the workspace has none.
 */
export function themeInForce(facts: {
  readonly preference: ThemePreference;
  readonly workspaceTheme: WorkspaceTheme | null;
  readonly systemIsDark: boolean;
}): WorkspaceTheme {
  const chosen = chosenTheme(facts);
  if (chosen === 'system') return facts.systemIsDark ? 'dark' : 'light';
  return chosen;
}

export function parseThemePreference(text: string | null): ThemePreference {
  if (text === 'system') return text;
  return workspaceThemes.find((theme) => theme === text) ?? 'workspace';
}

function chosenTheme({
  preference,
  workspaceTheme,
}: {
  readonly preference: ThemePreference;
  readonly workspaceTheme: WorkspaceTheme | null;
}): WorkspaceTheme | 'system' {
  return preference === 'workspace' ? (workspaceTheme ?? 'system') : preference;
}

export function readThemePreference(): ThemePreference {
  return parseThemePreference(readKept(preferenceKey));
}

/** Applies a theme to the document, and keeps it for the first paint of the next page. */
export function applyTheme(facts: {
  readonly preference: ThemePreference;
  readonly workspaceTheme: WorkspaceTheme | null;
}): void {
  keep(preferenceKey, facts.preference);
  keep(lastKey, chosenTheme(facts));
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = themeInForce({ ...facts, systemIsDark });
}

/** Browsers may refuse to keep anything: then the preference holds until the page is left. */
function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
