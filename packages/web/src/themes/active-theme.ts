import { type WorkspaceTheme, workspaceThemes } from '@stoa/core';
import { createKept } from '../store/kept.ts';

/** The user's choice for all workspaces on this device. */
export type ThemePreference = 'workspace' | 'system' | WorkspaceTheme;

const preferenceKey = 'stoa.theme-preference';
/** Theme of the last shown workspace, which pages without a workspace keep. `index.html` reads both keys. */
const workspaceThemeKey = 'stoa.workspace-theme';

export interface ThemeFacts {
  readonly preference: ThemePreference;
  /** Null if the workspace has none. */
  readonly workspaceTheme: WorkspaceTheme | null;
  readonly systemIsDark: boolean;
}

/** The active theme: the user's preference, else the workspace's theme, else light or dark by the system. */
export function activeTheme({ preference, workspaceTheme, systemIsDark }: ThemeFacts): WorkspaceTheme {
  const chosen = preference === 'workspace' ? workspaceTheme : preference;
  if (chosen === null || chosen === 'system') return systemIsDark ? 'dark' : 'light';
  return chosen;
}

export function parseThemePreference(text: string | null): ThemePreference {
  if (text === 'system') return text;
  return workspaceThemes.find((theme) => theme === text) ?? 'workspace';
}

export const themePreference = createKept<ThemePreference>(
  preferenceKey,
  parseThemePreference,
  (preference) => preference,
);

export const lastWorkspaceTheme = createKept<WorkspaceTheme | null>(
  workspaceThemeKey,
  (text) => workspaceThemes.find((theme) => theme === text) ?? null,
  (theme) => theme ?? '',
);
