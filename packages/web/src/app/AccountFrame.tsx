import { Outlet, useRouterState } from '@tanstack/react-router';
import { shell } from '../text/en/shell.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { NetworkStatus } from '../ui/NetworkStatus.tsx';
import { WithinFrame, Wordmark } from '../ui/PlainPage.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import './account-frame.css';

const pages = [
  { address: '/account', name: shell.profile },
  { address: '/account/keys', name: shell.apiKeys },
];

/** The frame of the user's own pages, outside any workspace. The wordmark leads back to the workspace. */
export function AccountFrame() {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  return (
    <div className="account-frame">
      <header className="account-frame-header">
        <AppLink to="/" className="account-frame-home">
          <Wordmark />
        </AppLink>
        <NetworkStatus />
        <AccountMenu />
      </header>
      <main id="main" tabIndex={-1} className="account-frame-main">
        <nav className="account-frame-pages" aria-label={shell.account}>
          {pages.map(({ address, name }) => (
            <AppLink
              key={address}
              to={address}
              {...(pathname === address ? { 'aria-current': 'page' as const } : {})}
            >
              {name}
            </AppLink>
          ))}
        </nav>
        <WithinFrame value>
          <Outlet />
        </WithinFrame>
      </main>
    </div>
  );
}
