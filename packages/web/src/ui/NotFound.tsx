import type { ReactNode } from 'react';
import { shell } from '../text/en/shell.ts';
import { AppLink } from './AppLink.tsx';
import { Icon } from './Icon.tsx';
import { PageHeading } from './PageHeading.tsx';
import './button.css';
import './not-found.css';
import './states.css';

/**
 * One page and one wording for what is not there, what is another member's private item, and what one may not see: it
 * must not tell which. `children` are the ways to save what was typed.
 */
export function NotFound({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="ui-not-found">
      <span className="ui-empty-icon">
        <Icon name="file-warning" size={24} />
      </span>
      <PageHeading title={shell.notFound} place={`not-found ${location.pathname}`} />
      <p>{shell.notFoundText}</p>
      {children}
      <AppLink className="ui-button" to="/">
        {shell.goToStart}
      </AppLink>
    </div>
  );
}
