import type { ReactNode } from 'react';
import { shell } from '../text/en/shell.ts';
import { AppLink } from './AppLink.tsx';
import { Icon } from './Icon.tsx';
import { PageHeading } from './PageHeading.tsx';
import './button.css';
import './not-found.css';
import './states.css';

/**
 * One page with one wording for missing items, another member's private items and items without permission, because it
 * must not reveal which. `children` are controls that save what the user typed.
 */
export function NotFound({
  within = false,
  children,
}: {
  /** Inside a page that has its own heading. */
  readonly within?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <div className="ui-not-found">
      <span className="ui-empty-icon">
        <Icon name="file-warning" size={24} />
      </span>
      {within ? (
        <h2>{shell.notFound}</h2>
      ) : (
        <PageHeading title={shell.notFound} pageKey={`not-found ${location.pathname}`} />
      )}
      <p>{shell.notFoundText}</p>
      {children}
      <AppLink className="ui-button" to="/">
        {shell.goToStart}
      </AppLink>
    </div>
  );
}
