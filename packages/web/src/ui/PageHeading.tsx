import { type ReactNode, useEffect, useRef } from 'react';
import { useStore } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';
import { documentTitle, shownWorkspaceName } from './page-title.ts';

/** On the first page there is no navigation, and the first Tab belongs to the skip link. */
let isFirstPage = true;

/**
 * The only `h1` of the page. It sets the document title, and takes the focus after navigation, so that screen readers
 * announce the page and the next Tab continues there.
 */
export function PageHeading({
  title,
  pageKey: location = title,
  hidden = false,
  children,
}: {
  /** As text: the heading, and the start of the document title. */
  readonly title: string;
  /**
   * Identifies the page: when it changes, the focus moves here. Pass the address if two pages may have the same title.
   */
  readonly pageKey?: string;
  /** For screen readers only. */
  readonly hidden?: boolean;
  /** Rendered instead of the plain title, for example with an icon. */
  readonly children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const workspaceName = useStore(shownWorkspaceName);

  useEffect(() => {
    document.title = documentTitle(title, workspaceName, shell.product);
  }, [title, workspaceName]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the identity of the page
  useEffect(() => {
    if (isFirstPage) isFirstPage = false;
    else heading.current?.focus({ preventScroll: true });
  }, [location]);

  return (
    <h1 ref={heading} tabIndex={-1} className={hidden ? 'visually-hidden' : 'ui-page-heading'}>
      {children ?? title}
    </h1>
  );
}
