import { Outlet } from '@tanstack/react-router';
import { shell } from '../text/en/shell.ts';
import { Notices } from '../ui/Notices.tsx';
import { Slot } from '../ui/Slot.tsx';
import { Dialogs } from './Dialogs.tsx';
import './app.css';
import { useShortcuts } from './use-shortcuts.ts';
import { useThemeOfSystem } from './use-theme.ts';

/** What stands around every page, signed in or not. */
export function App() {
  useShortcuts();
  useThemeOfSystem();
  return (
    <>
      <a className="app-skip" href="#main">
        {shell.skipToContent}
      </a>
      <Outlet />
      <div className="app-corner">
        <Slot name="uploads" />
        <Notices />
      </div>
      <Dialogs />
    </>
  );
}
