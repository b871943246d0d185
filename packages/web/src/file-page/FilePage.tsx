import { isWithin } from '@stoa/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { type FileEntry, nameOf } from '../api/listing-index.ts';
import { useListing } from '../api/use-listing.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { DeletedBar, RestoreButton } from '../conflicts/DeletedBar.tsx';
import { KeptText } from '../saving/KeptText.tsx';
import { reading } from '../text/en/reading.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { NotFound } from '../ui/NotFound.tsx';
import { notify } from '../ui/notices.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { OpenFile } from './OpenFile.tsx';
import { useOpenDocument } from './use-open-document.ts';
import { useReadFate } from './use-read-fate.ts';
import './file-page.css';

/** The page of a file: `/w/{workspace}/f/{path}`. A folder's path here redirects to the folder. */
export function FilePage() {
  const { workspaceId, _splat: path = '' } = useParams({ from: '/signed-in/w/$workspaceId/f/$' });
  return path === '' ? <NotFound /> : <FileAt workspaceId={workspaceId} path={path} />;
}

function FileAt({ workspaceId, path }: { readonly workspaceId: string; readonly path: string }) {
  const { listing, feed } = useWorkspace(workspaceId);
  const state = useListing(workspaceId);
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  // The file was deleted, moved or hidden while open. Keep the editor: its engine knows the outcome.
  const edited = useRef<FileEntry | null>(null);

  const openDocument = useOpenDocument(workspaceId, path);
  const isTyped = openDocument?.isDirty === true;
  const fate = useReadFate(workspaceId, path, openDocument === null);

  useEffect(
    () =>
      feed.subscribe({
        page({ changes }) {
          const shown = edited.current;
          if (shown?.path !== path) return;
          const isHidden = changes.some(({ op, path: at }) => op === 'access_revoked' && isWithin(path, at));
          if (isHidden) notify({ text: reading.noLongerAvailable(visibleName(shown.name)) });
        },
      }),
    [feed, path],
  );

  switch (state.kind) {
    case 'loading':
      return <LoadingLines />;
    case 'failed':
      return (
        <div className="file-page">
          <Head workspaceId={workspaceId} path={path} />
          <LoadFailure what={reading.thisFile} error={state.error} onRetry={() => listing.reload()} />
        </div>
      );
    case 'ready': {
      const listed = state.listing.files.get(path) ?? state.listing.folders.get(path) ?? null;
      const isEdited = search.mode === 'edit' || isTyped;
      const kept = isEdited && edited.current?.path === path ? edited.current : null;
      const entry = listed ?? kept;
      if (entry === null) {
        if (edited.current?.path !== path || fate.kind === 'there')
          return (
            <NotFound>
              <KeptText workspaceId={workspaceId} path={path} />
            </NotFound>
          );
        if (fate.kind === 'unsure') return <LoadingLines rows={12} />;
        return (
          <div className="file-page">
            <Head workspaceId={workspaceId} path={path} />
            <DeletedBar who={fate.who}>
              <RestoreButton workspaceId={workspaceId} path={path} />
            </DeletedBar>
          </div>
        );
      }
      if (entry.kind === 'folder') return <ToFolder workspaceId={workspaceId} path={path} />;
      edited.current = entry;
      return (
        <OpenFile
          key={`${workspaceId} ${path}`}
          workspaceId={workspaceId}
          entry={entry}
          isListed={listed !== null}
        />
      );
    }
  }
}

/** Only the name, if the file has no actions. */
function Head({ workspaceId, path }: { readonly workspaceId: string; readonly path: string }) {
  const name = visibleName(nameOf(path));
  return (
    <div className="file-page-head">
      <PageHeading title={name} pageKey={fileAddress(workspaceId, path)}>
        <bdi>{name}</bdi>
      </PageHeading>
    </div>
  );
}

function ToFolder({ workspaceId, path }: { readonly workspaceId: string; readonly path: string }) {
  const goTo = useGoTo();
  useEffect(() => goTo(folderAddress(workspaceId, path), { replace: true }), [goTo, workspaceId, path]);
  return null;
}
