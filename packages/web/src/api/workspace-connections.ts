import { useEffect, useState } from 'react';
import { client } from './client.ts';
import { createFeedConnection, type FeedConnection } from './feed-connection.ts';
import { createListing, type LiveListing } from './listing.ts';
import { tabVisibility } from './tab-visibility.ts';

/** What the app keeps current of a workspace while it is shown. */
export interface WorkspaceConnection {
  readonly feed: FeedConnection;
  readonly listing: LiveListing;
}

const open = new Map<string, { readonly connection: WorkspaceConnection; users: number }>();
/** Going from one page of a workspace to another must not end its connection. */
const lingerMs = 5000;

/** The workspace's connection, opened for whoever comes first and closed when the last one has gone. */
export function holdWorkspace(workspaceId: string): {
  readonly connection: WorkspaceConnection;
  release(): void;
} {
  const held = open.get(workspaceId) ?? openWorkspace(workspaceId);
  held.users += 1;
  let released = false;
  return {
    connection: held.connection,
    release: () => {
      if (released) return;
      released = true;
      held.users -= 1;
      setTimeout(() => {
        if (held.users > 0 || open.get(workspaceId) !== held) return;
        open.delete(workspaceId);
        held.connection.listing.close();
        held.connection.feed.close();
      }, lingerMs);
    },
  };
}

/** The connections that stand now, for whatever concerns all of them: signing in again, the network's return. */
export function openConnections(): readonly WorkspaceConnection[] {
  return [...open.values()].map(({ connection }) => connection);
}

/** The connection of the workspace shown. The shell holds it, so that pages find it open. */
export function useWorkspace(workspaceId: string): WorkspaceConnection {
  const [held, setHeld] = useState(() => connectionOf(workspaceId));
  useEffect(() => {
    const { connection, release } = holdWorkspace(workspaceId);
    setHeld(connection);
    return release;
  }, [workspaceId]);
  return held.feed.workspaceId === workspaceId ? held : connectionOf(workspaceId);
}

/** For the first drawing, before an effect holds it; and before that, so that its list is on the way. */
export function connectionOf(workspaceId: string): WorkspaceConnection {
  const { connection, release } = holdWorkspace(workspaceId);
  release();
  return connection;
}

// Gone: it is said at once, and a held request, which would not notice before its time is over, makes place for another.
window.addEventListener('offline', () => {
  for (const { feed } of openConnections()) {
    feed.disconnected();
    feed.retry();
  }
});

// Back: what waits for its pause asks now.
window.addEventListener('online', () => {
  for (const { feed } of openConnections()) feed.retry();
});

function openWorkspace(workspaceId: string) {
  const feed = createFeedConnection({ client, workspaceId, visibility: tabVisibility });
  const listing = createListing({ client, feed, visibility: tabVisibility });
  const held = { connection: { feed, listing }, users: 0 };
  open.set(workspaceId, held);
  return held;
}
