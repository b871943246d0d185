import type { ChangePage } from '@stoa/contract';
import { fileNameOf, isWithin } from '@stoa/core';
import { useEffect, useRef, useState } from 'react';
import { fileAddress } from '../api/addresses.ts';
import { whoNow } from '../api/people.ts';
import { currentUser } from '../api/session.ts';
import { useMembers } from '../api/use-workspace.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { saving as texts } from '../text/en/saving.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { notify } from '../ui/notices.ts';

/** The fate of a file in Read mode without local edits. With edits, its engine tracks this. */
export type ReadFate =
  | { readonly kind: 'there' }
  /** Deleted so far: the record of a move may follow in the next response. */
  | { readonly kind: 'unsure'; readonly who: string }
  | { readonly kind: 'deleted'; readonly who: string };

type Change = ChangePage['changes'][number];

/** After this time without a move, the deletion counts. */
const moveFollowsMs = 2000;
const there: ReadFate = { kind: 'there' };

/** Follows the file when others move it, with a notice, and reports who deleted it. */
export function useReadFate(workspaceId: string, path: string, isFollowed: boolean): ReadFate {
  const { feed } = useWorkspace(workspaceId);
  const members = useMembers(workspaceId).data ?? [];
  const goTo = useGoTo();
  const [fate, setFate] = useState<ReadFate>(there);
  const latest = useRef({ members, goTo, isFollowed });
  latest.current = { members, goTo, isFollowed };

  useEffect(() => {
    setFate(there);
    return feed.subscribe({
      page({ changes }) {
        const { members, goTo, isFollowed } = latest.current;
        // The move would have been in this response, so the earlier deletion counts.
        setFate((before) => (before.kind === 'unsure' ? { ...before, kind: 'deleted' } : before));
        for (const change of changes) {
          const isOwn = change.actorId === currentUser()?.id && change.actorKeyId === null;
          const who = isOwn ? texts.youElsewhere : visibleName(whoNow(change, members).name);
          const means = meaningFor(path, change);
          if (means === 'there') setFate(there);
          if (means === 'gone') setFate({ kind: 'unsure', who });
          if (means === 'moved' && isFollowed) {
            if (!isOwn)
              notify({ text: texts.moved(visibleName(fileNameOf(path)), visibleName(change.path), who) });
            goTo(fileAddress(workspaceId, change.path), { replace: true });
          }
        }
      },
    });
  }, [feed, workspaceId, path]);

  useEffect(() => {
    if (fate.kind !== 'unsure') return;
    const timer = setTimeout(() => setFate({ ...fate, kind: 'deleted' }), moveFollowsMs);
    return () => clearTimeout(timer);
  }, [fate]);
  return fate;
}

function meaningFor(path: string, change: Change): 'there' | 'gone' | 'moved' | null {
  if (change.op === 'move' && change.movedFrom === path) return 'moved';
  // A hidden file is gone for the user; the feed does not say who hid it.
  if (change.op === 'access_revoked') return isWithin(path, change.path) ? 'there' : null;
  if (change.path !== path || change.op.startsWith('comment_')) return null;
  return change.op === 'delete' ? 'gone' : 'there';
}
