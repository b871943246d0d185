import { type WorkspaceTheme, workspaceThemes } from '@stoa/core';
import { createKept } from '../store/kept.ts';

/** What a person chose for all their workspaces on this device. */
export type ThemePreference = 'workspace' | 'system' | WorkspaceTheme;

const preferenceKey = 'stoa.theme-preference';
/** Of the workspace that was last shown here: pages without a workspace keep its look. `index.html` reads both keys. */
const workspaceThemeKey = 'stoa.workspace-theme';

export interface ThemeFacts {
  readonly preference: ThemePreference;
  /** Null where the workspace has none. */
  readonly workspaceTheme: WorkspaceTheme | null;
  readonly systemIsDark: boolean;
}

/** The theme in force: the person's preference, else the workspace's, else light or dark by the system. */
export function themeInForce({ preference, workspaceTheme, systemIsDark }: ThemeFacts): WorkspaceTheme {
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
