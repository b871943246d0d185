import type { ShareRecord } from '@stoa/contract';
import { effectiveContentType, mediaTypeOf } from '@stoa/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { nameOf } from '../api/listing-index.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useListing } from '../api/use-listing.ts';
import { useWorkspaceRecord } from '../api/use-workspace.ts';
import { sharing as texts } from '../text/en/sharing.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Loaded } from '../ui/States.tsx';
import { NewLinkForm } from './NewLinkForm.tsx';
import { ShareItem } from './ShareItem.tsx';
import './sharing.css';

export interface ShareDialogProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly of: 'file' | 'folder';
  onClose(): void;
}

/** Share links to a file or folder: creates one, and lists the existing ones. */
export function ShareDialog({ workspaceId, path, of, onClose }: ShareDialogProps) {
  const name = visibleName(nameOf(path));
  const listing = useListing(workspaceId);
  const workspace = useWorkspaceRecord(workspaceId);
  const shares = useQuery({
    queryKey: queryKeys.shares(workspaceId, path),
    queryFn: ({ signal }) => client.listShares(workspaceId, path, { signal }),
  });
  const isPrivate = listing.kind === 'ready' && listing.listing.privateAt(path) !== null;
  const entry = listing.kind === 'ready' ? listing.listing.entryAt(path) : null;
  const isHtml =
    entry?.kind === 'file' &&
    mediaTypeOf(effectiveContentType(entry.path, entry.contentType)) === 'text/html';
  return (
    <Dialog title={texts.title(name)} size="medium" grows onClose={onClose}>
      {isPrivate ? (
        <p role="alert">{texts.isPrivate}</p>
      ) : (
        <NewLinkForm
          workspaceId={workspaceId}
          workspaceName={visibleName(workspace.data?.name ?? '')}
          path={path}
          of={of}
          file={entry?.kind === 'file' ? entry : null}
          isHtml={isHtml}
        />
      )}
      <Loaded asked={shares} what={texts.what} rows={2} rowHeight={72}>
        {({ shares: own, inherited }) => (
          <>
            <ShareList
              label={texts.linksTo(name)}
              workspaceId={workspaceId}
              shares={own}
              isHtml={isHtml}
              empty={texts.none}
            />
            {inherited.length === 0 ? null : (
              <ShareList
                label={texts.linksAbove}
                workspaceId={workspaceId}
                shares={inherited}
                isHtml={false}
                showPath
              />
            )}
          </>
        )}
      </Loaded>
      <DialogButtons>
        <Button onClick={onClose}>{ui.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}

function ShareList({
  label,
  workspaceId,
  shares,
  isHtml,
  showPath = false,
  empty = null,
}: {
  readonly label: string;
  readonly workspaceId: string;
  readonly shares: readonly ShareRecord[];
  /** Whether the target may run scripts if its link allows it. */
  readonly isHtml: boolean;
  readonly showPath?: boolean;
  readonly empty?: string | null;
}) {
  return (
    <section className="share-section">
      <h2>{label}</h2>
      {shares.length === 0 ? (
        <p className="page-intro">{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of lists without markers
        <ul role="list" aria-label={label} className="share-list">
          {shares.map((share) => (
            <ShareItem
              key={share.id}
              workspaceId={workspaceId}
              share={share}
              isHtml={isHtml}
              showPath={showPath}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
