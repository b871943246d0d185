import { createContext, type ReactNode, useContext } from 'react';
import { shell } from '../text/en/shell.ts';
import { NetworkStatus } from './NetworkStatus.tsx';
import './plain-page.css';

/** Whether the content is inside a frame: then a second header and a second `main` would be wrong. */
export const WithinFrame = createContext(false);

/** A page outside a workspace: sign-in, an invite, not found. Inside a frame only its content. */
export function PlainPage({ children }: { readonly children: ReactNode }) {
  if (useContext(WithinFrame)) return <div className="plain-page-main">{children}</div>;
  return (
    <div className="plain-page">
      <header className="plain-page-header">
        <Wordmark />
        <NetworkStatus />
      </header>
      <main id="main" tabIndex={-1} className="plain-page-main">
        {children}
      </main>
    </div>
  );
}

export function Wordmark() {
  return (
    <span className="wordmark">
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <path
          d="M2 7 10 2.5 18 7M3 7.5h14M4.5 7.5v8M8.2 7.5v8M11.8 7.5v8M15.5 7.5v8M2.5 16.5h15"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {shell.product}
    </span>
  );
}
