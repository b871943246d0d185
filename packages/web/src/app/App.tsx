import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { shell } from '../text/en/shell.ts';
import { Notices } from '../ui/Notices.tsx';
import { passOnFocus } from '../ui/pass-on-focus.ts';
import { Slot } from '../ui/Slot.tsx';
import { Dialogs } from './Dialogs.tsx';
import './app.css';
import { keepSession, useSession } from '../api/session.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useThemeOfSystem } from './use-theme.ts';

const SignInDialog = lazy(async () => ({
  default: (await import('../account/SignInDialog.tsx')).SignInDialog,
}));

/** The frame of every page, signed in or not. */
export function App() {
  useShortcuts();
  useThemeOfSystem();
  useEffect(keepSession, []);
  useEffect(() => {
    const root = document.getElementById('root');
    return root === null ? undefined : passOnFocus(root, () => document.querySelector('h1'));
  }, []);
  const isSignedOut = useSession().kind === 'signed_out';
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it has a target on this page, and works without scripts */}
      <a
        className="app-skip"
        href="#main"
        onClick={(event) => {
          // Keep the address, because links and sign-in return to it.
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {shell.skipToContent}
      </a>
      <Outlet />
      <div className="app-corner">
        <Slot name="uploads" />
        <Notices />
      </div>
      <Dialogs />
      {isSignedOut ? (
        <Suspense fallback={null}>
          <SignInDialog />
        </Suspense>
      ) : null}
    </>
  );
}
