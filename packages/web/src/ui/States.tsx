import { type ReactNode, useEffect, useState } from 'react';
import { ui } from '../text/en/ui.ts';
import { Button } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';
import './states.css';

/** Anything shorter is a flicker. */
const quietMs = 150;

/** Grey lines of the height that the content will have, after a moment in which nothing is shown. */
export function LoadingLines({
  rows = 8,
  rowHeight = 32,
}: {
  readonly rows?: number;
  readonly rowHeight?: number;
}) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), quietMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      className="ui-loading"
      data-late={late ? true : undefined}
      style={{ minBlockSize: rows * rowHeight }}
    >
      {late
        ? Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
            <div key={row} className="ui-loading-row" style={{ blockSize: rowHeight }}>
              <span className="ui-loading-line" style={{ inlineSize: `${30 + ((row * 17) % 40)}%` }} />
            </div>
          ))
        : null}
    </div>
  );
}

/** Something could not be loaded: what, the server's own words folded, and the way to try again. */
export function LoadFailure({
  what,
  error,
  onRetry,
}: {
  readonly what: string;
  readonly error: Error;
  onRetry(): void;
}) {
  return (
    <div className="ui-failure">
      <div role="alert">
        <p className="ui-failure-text">{ui.couldNotBeLoaded(what)}</p>
        <details>
          <summary>{ui.details}</summary>
          <p>{error.message}</p>
        </details>
      </div>
      <Button onClick={onRetry}>{ui.tryAgain}</Button>
    </div>
  );
}

/** What was asked of the server, as far as a page has to know. */
interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

/** What the server answered: grey lines before, the failure with its way back where there is nothing to show. */
export function Loaded<Data>({
  asked,
  what,
  rows,
  rowHeight,
  children,
}: {
  readonly asked: Asked<Data>;
  /** In words, for a failure. */
  readonly what: string;
  readonly rows?: number;
  readonly rowHeight?: number;
  children(data: Data): ReactNode;
}) {
  const { data, error } = asked;
  if (data !== undefined) return children(data);
  if (error !== null) return <LoadFailure what={what} error={error} onRetry={() => void asked.refetch()} />;
  return (
    <LoadingLines
      {...(rows === undefined ? {} : { rows })}
      {...(rowHeight === undefined ? {} : { rowHeight })}
    />
  );
}

/** Nothing is here yet: one sentence, and what one can do. */
export function EmptyState({
  icon,
  text,
  detail,
  children,
}: {
  readonly icon: IconName;
  readonly text: string;
  /** More about it, quietly. */
  readonly detail?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="ui-empty">
      <span className="ui-empty-icon">
        <Icon name={icon} size={24} />
      </span>
      <p className="ui-empty-text">{text}</p>
      {detail === undefined ? null : <p className="ui-empty-detail">{detail}</p>}
      {children === undefined ? null : <div className="ui-empty-actions">{children}</div>}
    </div>
  );
}

/** What went wrong with a form, above its button. */
export function FormAlert({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return children === null || children === undefined ? null : (
    <p className="ui-form-alert" role="alert" id={id}>
      {children}
    </p>
  );
}
