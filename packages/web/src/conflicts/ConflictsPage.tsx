import { useParams } from '@tanstack/react-router';
import { fileAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { linksAfter, WorkspaceFullError } from '../api/full-workspace.ts';
import { type FileEntry, type Listing, nameOf, originalOf } from '../api/listing-index.ts';
import { whoOf } from '../api/people.ts';
import { restoreDeleted } from '../api/restore.ts';
import { useListing } from '../api/use-listing.ts';
import { useMembers, useReadOnlyReason } from '../api/use-workspace.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { deleteCopy } from '../saving/say.ts';
import { conflicts as texts } from '../text/en/conflicts.ts';
import { notices } from '../text/en/notices.ts';
import { saving } from '../text/en/saving.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { askToConfirm, openDialog } from '../ui/dialogs.ts';
import { Icon } from '../ui/Icon.tsx';
import { notify } from '../ui/notices.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { EmptyState, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { attempt } from '../ui/use-task.ts';
import { compareCopy } from './compare-copy.ts';
import './conflicts.css';
import '../ui/page.css';

interface Pair {
  readonly copy: FileEntry;
  readonly original: string;
  /** Whether the original still exists. */
  readonly isPaired: boolean;
}

/** The conflicted copies of the workspace with their originals (`/w/{id}/conflicts`). */
export function ConflictsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/conflicts' });
  const { listing } = useWorkspace(workspaceId);
  const state = useListing(workspaceId);
  return (
    <div className="page">
      <PageHeading title={texts.theConflicts} />
      {state.kind === 'loading' ? <LoadingLines /> : null}
      {state.kind === 'failed' ? (
        <LoadFailure what={texts.theConflicts} error={state.error} onRetry={() => listing.reload()} />
      ) : null}
      {state.kind === 'ready' ? <Pairs workspaceId={workspaceId} pairs={pairsOf(state.listing)} /> : null}
    </div>
  );
}

function Pairs({ workspaceId, pairs }: { readonly workspaceId: string; readonly pairs: readonly Pair[] }) {
  if (pairs.length === 0) return <EmptyState icon="conflict" text={texts.none} />;
  return (
    <ul className="conflict-list" aria-label={texts.conflictedCopies}>
      {pairs.map((pair) => (
        <PairItem key={pair.copy.path} workspaceId={workspaceId} pair={pair} />
      ))}
    </ul>
  );
}

function PairItem({ workspaceId, pair }: { readonly workspaceId: string; readonly pair: Pair }) {
  const { copy, original, isPaired } = pair;
  const members = useMembers(workspaceId).data ?? [];
  const name = visibleName(copy.name);
  const who = whoMade(copy, members);
  const readOnlyBecause = useReadOnlyReason(workspaceId);

  const compare = async () => {
    try {
      const comparison = await compareCopy(workspaceId, { original, copy: copy.path }, async () => {
        const { versions } = await client.listVersions(workspaceId, original);
        return versions[0] === undefined ? saving.somebody : whoOf(versions[0], members).name;
      });
      openDialog({ kind: 'compare', comparison });
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      notify({ text: ui.notPossible(texts.compareAndMerge, reason), failure: true });
    }
  };
  /** One request: the server reads, merges and saves both texts, or changes nothing. */
  const merge = async () => {
    const outcome = await client.resolveConflict(workspaceId, { copy: copy.path, keep: 'merge' });
    switch (outcome.kind) {
      case 'resolved':
        notify({ text: saving.mergedSaved(outcome.version) });
        notify({
          text: texts.copyDeleted(name),
          actions: [{ label: texts.restore(name), run: () => restoreCopy(workspaceId, copy.path) }],
        });
        return;
      case 'overlapping':
      case 'no_base':
        // The user decides conflicts that cannot be merged automatically.
        return await compare();
      case 'quota_exceeded':
      case 'file_count_exceeded':
      case 'history_exceeded':
        throw new WorkspaceFullError(workspaceId, saving.full);
    }
  };
  const remove = async () => {
    const isSure = await askToConfirm({ title: texts.deleteQuestion(name), action: texts.deleteCopy });
    if (isSure) await deleteCopy(workspaceId, copy);
  };
  return (
    <li aria-label={name}>
      <span className="conflict-icon">
        <Icon name="conflict" />
      </span>
      <div className="conflict-facts">
        <AppLink to={fileAddress(workspaceId, copy.path)}>
          <bdi>{name}</bdi>
        </AppLink>
        <p>
          {isPaired ? (
            <>
              {texts.original}:{' '}
              <AppLink to={fileAddress(workspaceId, original)}>
                <bdi>{visibleName(original)}</bdi>
              </AppLink>
            </>
          ) : (
            <span>{texts.originalGone}</span>
          )}
          {who === null ? null : ` · ${texts.madeBy(visibleName(who))}`}
          {copy.changedAt === undefined ? null : (
            <>
              {' · '}
              <Time at={copy.changedAt} />
            </>
          )}
        </p>
      </div>
      <div className="conflict-choices">
        {isPaired ? (
          <>
            <Button needsServer disabledBecause={readOnlyBecause} onClick={() => void compare()}>
              {texts.compareAndMerge}
            </Button>
            <Button
              kind="quiet"
              needsServer
              disabledBecause={readOnlyBecause}
              onClick={() => attempt((why) => ui.notPossible(texts.mergeBoth, why), merge, linksAfter)}
            >
              {texts.mergeBoth}
            </Button>
          </>
        ) : null}
        <Button
          kind="quiet"
          needsServer
          onClick={() =>
            openDialog({ kind: 'rename', workspaceId, path: copy.path, name: nameWithoutMark(pair) })
          }
        >
          {texts.keepAsAFile}
        </Button>
        <Button kind="quiet" needsServer onClick={() => void remove()}>
          {texts.deleteCopy}
        </Button>
      </div>
    </li>
  );
}

function restoreCopy(workspaceId: string, path: string): void {
  const name = visibleName(nameOf(path));
  attempt(
    (why) => notices.notRestored(name, why),
    async () => {
      await restoreDeleted(workspaceId, path);
      notify({ text: notices.restored(name) });
    },
    linksAfter,
  );
}

function pairsOf({ files }: Listing): readonly Pair[] {
  return [...files.values()]
    .flatMap((copy) => {
      const original = originalOf(copy);
      return original === null ? [] : [{ copy, original, isPaired: files.has(original) }];
    })
    .sort((one, other) => (other.copy.changedAt ?? '').localeCompare(one.copy.changedAt ?? ''));
}

/** The original's name, or a similar free one while that is taken. */
function nameWithoutMark({ original, isPaired }: Pair): string {
  const name = nameOf(original);
  if (!isPaired) return name;
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name} (2)` : `${name.slice(0, dot)} (2)${name.slice(dot)}`;
}

function whoMade(copy: FileEntry, members: Parameters<typeof whoOf>[1]): string | null {
  const { principal, actorId, actorKeyId, actorLabel } = copy;
  if (principal === undefined || actorId === undefined) return null;
  return whoOf(
    { principal, actorId, actorKeyId: actorKeyId ?? null, actorLabel: actorLabel ?? null },
    members,
  ).name;
}
