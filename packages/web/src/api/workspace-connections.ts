import { useEffect, useState } from 'react';
import { client } from './client.ts';
import { createFeedConnection, type FeedConnection } from './feed-connection.ts';
import { createListing, type LiveListing } from './listing.ts';
import { tabVisibility } from './tab-visibility.ts';

/** The connections of a workspace while it is shown. */
export interface WorkspaceConnection {
  readonly feed: FeedConnection;
  readonly listing: LiveListing;
}

const open = new Map<string, { readonly connection: WorkspaceConnection; users: number }>();
/** Navigation between pages of a workspace must not close its connection. */
const lingerMs = 5000;

/** Opens the workspace's connection for its first user; the last release closes it. */
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

/** All open connections, for example to resume after sign-in or when the network returns. */
export function openConnections(): readonly WorkspaceConnection[] {
  return [...open.values()].map(({ connection }) => connection);
}

/** The connection of the shown workspace. The shell holds it, so pages find it open. */
export function useWorkspace(workspaceId: string): WorkspaceConnection {
  const [held, setHeld] = useState(() => connectionOf(workspaceId));
  useEffect(() => {
    const { connection, release } = holdWorkspace(workspaceId);
    setHeld(connection);
    return release;
  }, [workspaceId]);
  return held.feed.workspaceId === workspaceId ? held : connectionOf(workspaceId);
}

/** For the first render, before an effect holds the connection, and to start loading the list early. */
export function connectionOf(workspaceId: string): WorkspaceConnection {
  const { connection, release } = holdWorkspace(workspaceId);
  release();
  return connection;
}

// Reports the offline state at once, and ends long polls that would otherwise block until their timeout.
window.addEventListener('offline', () => {
  for (const { feed } of openConnections()) {
    feed.disconnected();
    feed.retry();
  }
});

// Retries at once, without waiting for the backoff.
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
