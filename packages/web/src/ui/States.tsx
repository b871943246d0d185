import { type ReactNode, useEffect, useState } from 'react';
import { ui } from '../text/en/ui.ts';
import { Button } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';
import './states.css';

/** Loading that is shorter would only flicker. */
const quietMs = 150;

/** A skeleton with the height of the expected content, after a short delay without any. */
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
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
            <div key={row} className="ui-loading-row" style={{ blockSize: rowHeight }}>
              <span className="ui-loading-line" style={{ inlineSize: `${30 + ((row * 17) % 40)}%` }} />
            </div>
          ))
        : null}
    </div>
  );
}

/** Loading failed: names the content, folds the server's message, and offers a retry. */
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

/** A query, as far as a page needs it. */
interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

/** Renders the data of a query: a skeleton before, and an error with a retry if there is no data. */
export function Loaded<Data>({
  asked,
  what,
  rows,
  rowHeight,
  children,
}: {
  readonly asked: Asked<Data>;
  /** In words, for an error. */
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

/** Empty state: a short text, and possible actions. */
export function EmptyState({
  icon,
  text,
  detail,
  children,
}: {
  readonly icon: IconName;
  readonly text: string;
  /** Muted detail below. */
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

/** The error of a form, above its button. */
export function FormAlert({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return children === null || children === undefined ? null : (
    <p className="ui-form-alert" role="alert" id={id}>
      {children}
    </p>
  );
}
