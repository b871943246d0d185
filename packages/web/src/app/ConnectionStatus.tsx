import type { FeedConnection, FeedState } from '../api/feed-connection.ts';
import { useStore } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';

/** Empty while all is well. */
export function ConnectionStatus({ feed }: { readonly feed: FeedConnection }) {
  const state = useStore(feed.state);
  const text = connectionText(state);
  return (
    <div
      role="status"
      aria-label={shell.connection}
      className="connection-status"
      data-offline={text === shell.offline ? true : undefined}
    >
      {text}
    </div>
  );
}

function connectionText(state: FeedState): string {
  if (state.kind !== 'failing') return '';
  return state.because === 'no_answer' ? shell.offline : shell.busy;
}
