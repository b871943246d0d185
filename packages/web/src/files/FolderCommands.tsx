import { lazy, Suspense, useEffect } from 'react';
import { type AppPage, folderAddress, workspacePageAddress } from '../api/addresses.ts';
import { folderOf } from '../api/listing-index.ts';
import { useListing } from '../api/use-listing.ts';
import { keepRecentFile } from '../store/recent-files.ts';
import { useStore } from '../store/store.ts';
import { files as texts } from '../text/en/files.ts';
import { palette } from '../text/en/palette.ts';
import { shortcuts } from '../text/en/shortcuts.ts';
import { useCommands } from '../ui/commands.ts';
import { openDialog } from '../ui/dialogs.ts';
import { openUploadChooser } from './choose-uploads.ts';
import { uploadedInto } from './on-demand.ts';
import { useFileDrops } from './use-file-drops.ts';
import { useFiles } from './use-files.ts';

const Uploads = lazy(async () => ({ default: (await import('./Uploads.tsx')).Uploads }));

/** Commands for the current folder, or the folder of the current file, on every page of a workspace. */
export function FolderCommands({
  workspaceId,
  page: location,
}: {
  readonly workspaceId: string;
  readonly page: AppPage;
}) {
  const context = useFiles(workspaceId);
  const folder =
    location.kind === 'folder' ? location.path : location.kind === 'file' ? folderOf(location.path) : '';
  const shown = location.kind === 'folder' || location.kind === 'file' ? location.path : null;
  const listing = useListing(workspaceId);
  // The top folder has no path to share, and a missing item has no share link.
  const isShareable =
    shown !== null &&
    shown !== '' &&
    (listing.kind !== 'ready' || listing.listing.files.has(shown) || listing.listing.folders.has(shown));
  const openFile = location.kind === 'file' ? location.path : null;
  useEffect(() => {
    if (openFile !== null) keepRecentFile(workspaceId, openFile);
  }, [workspaceId, openFile]);
  const disabled = () => context.readOnlyBecause();
  useFileDrops(context, folder);
  useCommands([
    {
      id: 'new-file',
      words: texts.newFile,
      keys: ['n'],
      disabled,
      needsServer: true,
      run: () => openDialog({ kind: 'new-file', workspaceId, folder }),
    },
    {
      id: 'new-folder',
      words: texts.newFolder,
      keys: ['Shift+N'],
      disabled,
      needsServer: true,
      run: () => openDialog({ kind: 'new-folder', workspaceId, folder }),
    },
    {
      id: 'upload-files',
      words: texts.uploadFiles,
      keys: ['u'],
      disabled,
      needsServer: true,
      run: () => openUploadChooser(context, folder, 'files'),
    },
    {
      id: 'upload-folder',
      words: texts.uploadFolder,
      disabled,
      needsServer: true,
      run: () => openUploadChooser(context, folder, 'folder'),
    },
    {
      id: 'find',
      words: palette.find,
      keys: ['Mod+K', '/'],
      run: () => openDialog({ kind: 'find', workspaceId, typed: '' }),
    },
    {
      id: 'find.all',
      words: shortcuts.findAll,
      keys: ['Mod+Shift+F'],
      run: () => context.go(workspacePageAddress(workspaceId, 'find', { from: folder })),
    },
    {
      id: 'go.up',
      words: texts.goUp,
      keys: ['Backspace'],
      when: () => location.kind === 'file' || (location.kind === 'folder' && location.path !== ''),
      run: () =>
        context.go(folderAddress(workspaceId, location.kind === 'folder' ? folderOf(folder) : folder)),
    },
  ]);
  // Registered separately, because it changes with the page.
  useCommands(
    isShareable
      ? [
          {
            id: 'share',
            words: texts.share,
            needsServer: true,
            run: () =>
              openDialog({
                kind: 'share',
                workspaceId,
                path: shown,
                of: location.kind === 'file' ? 'file' : 'folder',
              }),
          },
        ]
      : [],
  );
  return useStore(uploadedInto).has(workspaceId) ? (
    <Suspense fallback={null}>
      <Uploads workspaceId={workspaceId} />
    </Suspense>
  ) : null;
}
