import type { ReactNode } from 'react';
import { shell } from '../text/en/shell.ts';
import { AppLink } from './AppLink.tsx';
import { PageHeading } from './PageHeading.tsx';
import './not-found.css';

/**
 * One page and one wording for what is not there, what is another member's private item, and what one may not see: it
 * must not tell which. `children` are the ways to save what was typed.
 */
export function NotFound({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="ui-not-found">
      <PageHeading title={shell.notFound} place={`not-found ${location.pathname}`} />
      <p>{shell.notFoundText}</p>
      {children}
      <p>
        <AppLink to="/">{shell.goToStart}</AppLink>
      </p>
    </div>
  );
}
