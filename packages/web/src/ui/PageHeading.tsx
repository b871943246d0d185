import { type ReactNode, useEffect, useRef } from 'react';
import { useStore } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';
import { documentTitle, shownWorkspaceName } from './page-title.ts';

/** On the first page nobody came from anywhere: the first Tab belongs to the skip link. */
let isFirstPage = true;

/**
 * The page's one `h1`. It names the document, and takes the focus when a page takes another's place, so that its name is
 * said and the next Tab goes on from there.
 */
export function PageHeading({
  title,
  place = title,
  hidden = false,
  children,
}: {
  /** In words: the heading's text, and the beginning of the document's title. */
  readonly title: string;
  /** What page this is: when it changes, the focus moves here. Give the address where two pages may have one title. */
  readonly place?: string;
  /** For those who hear it only. */
  readonly hidden?: boolean;
  /** What is drawn in place of the plain title: with an icon before it. */
  readonly children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const workspaceName = useStore(shownWorkspaceName);

  useEffect(() => {
    document.title = documentTitle(title, workspaceName, shell.product);
  }, [title, workspaceName]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what the focus follows
  useEffect(() => {
    if (isFirstPage) isFirstPage = false;
    else heading.current?.focus({ preventScroll: true });
  }, [place]);

  return (
    <h1 ref={heading} tabIndex={-1} className={hidden ? 'visually-hidden' : 'ui-page-heading'}>
      {children ?? title}
    </h1>
  );
}
