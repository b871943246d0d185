import type { WorkspaceTheme } from '@stoa/core';
import { useEffect } from 'react';
import { useStore } from '../store/store.ts';
import { activeTheme, lastWorkspaceTheme, themePreference } from '../themes/active-theme.ts';

/** Updates the document's theme by the user's preference, the workspace and the system. */
export function useThemeOfSystem(): void {
  const preference = useStore(themePreference);
  const workspaceTheme = useStore(lastWorkspaceTheme);
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const theme = activeTheme({ preference, workspaceTheme, systemIsDark: system.matches });
      document.documentElement.dataset.theme = theme;
    };
    apply();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [preference, workspaceTheme]);
}

/** Stores the theme of the shown workspace, which applies for "Workspace’s choice". */
export function useWorkspaceTheme(theme: WorkspaceTheme | null | undefined): void {
  useEffect(() => {
    if (theme !== undefined) lastWorkspaceTheme.set(theme);
  }, [theme]);
}
