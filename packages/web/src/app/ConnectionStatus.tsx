import type { FeedConnection, FeedState } from '../api/feed-connection.ts';
import { useStore } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';

/** Empty while all is well. */
export function ConnectionStatus({ feed }: { readonly feed: FeedConnection }) {
  const text = connectionText(useStore(feed.state));
  return (
    <div role="status" aria-label={shell.connection} className="connection-status">
      {text}
    </div>
  );
}

function connectionText(state: FeedState): string {
  if (state.kind !== 'failing') return '';
  return state.because === 'no_answer' ? shell.offline : shell.busy;
}
