import { lazy, type ReactNode, Suspense } from 'react';
import { KeepKeys } from '../palette/KeepKeys.tsx';
import { useStore } from '../store/store.ts';
import { DialogOpeners } from '../ui/dialog-opener.ts';
import { closeDialog, type DialogRequest, openDialogs } from '../ui/dialogs.ts';

const AlertDialog = lazy(async () => ({ default: (await import('../ui/Dialog.tsx')).AlertDialog }));
const NewWorkspaceDialog = lazy(async () => ({
  default: (await import('../account/NewWorkspaceDialog.tsx')).NewWorkspaceDialog,
}));
const NewEntryDialog = lazy(async () => ({
  default: (await import('../files/NewEntryDialog.tsx')).NewEntryDialog,
}));
const RenameDialog = lazy(async () => ({
  default: (await import('../files/RenameDialog.tsx')).RenameDialog,
}));
const MoveDialog = lazy(async () => ({
  default: (await import('../files/MoveDialog.tsx')).MoveDialog,
}));
const IconDialog = lazy(async () => ({
  default: (await import('../files/IconDialog.tsx')).IconDialog,
}));
const Palette = lazy(async () => ({ default: (await import('../palette/Palette.tsx')).Palette }));
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog,
}));
const CompareDialog = lazy(async () => ({
  default: (await import('../merging/CompareDialog.tsx')).CompareDialog,
}));
const CopyByHandDialog = lazy(async () => ({
  default: (await import('./CopyByHandDialog.tsx')).CopyByHandDialog,
}));

const CreateInviteDialog = lazy(async () => ({
  default: (await import('../invites/CreateInviteDialog.tsx')).CreateInviteDialog,
}));
const ChangeDateDialog = lazy(async () => ({
  default: (await import('../calendar/ChangeDateDialog.tsx')).ChangeDateDialog,
}));
const UndoDialog = lazy(async () => ({
  default: (await import('../activity/UndoDialog.tsx')).UndoDialog,
}));
const ShareDialog = lazy(async () => ({
  default: (await import('../sharing/ShareDialog.tsx')).ShareDialog,
}));

/** Renders the requested dialogs, each from its own chunk. */
export function Dialogs() {
  const open = useStore(openDialogs);
  return open.map(({ id, openers, request }) => (
    <DialogOpeners key={id} value={openers}>
      <Suspense fallback={request.kind === 'find' ? <KeepKeys onClose={() => closeDialog(id)} /> : null}>
        {drawn(request, () => closeDialog(id))}
      </Suspense>
    </DialogOpeners>
  ));
}

/** The one mapping from dialog requests to components. */
function drawn(request: DialogRequest, close: () => void): ReactNode {
  switch (request.kind) {
    case 'confirm': {
      const { question, respond: response } = request;
      const responded = (yes: boolean) => {
        close();
        response(yes);
      };
      return <AlertDialog {...question} onAction={() => responded(true)} onCancel={() => responded(false)} />;
    }
    case 'compare':
      return <CompareDialog comparison={request.comparison} onClose={close} />;
    case 'copy-by-hand':
      return <CopyByHandDialog text={request.text} onClose={close} />;
    case 'new-workspace':
      return <NewWorkspaceDialog onClose={close} />;
    case 'new-file':
    case 'new-folder':
      return <NewEntryDialog {...request} onClose={close} />;
    case 'rename':
      return <RenameDialog {...request} onClose={close} />;
    case 'move':
      return <MoveDialog {...request} onClose={close} />;
    case 'icon':
      return <IconDialog {...request} onClose={close} />;
    case 'find':
      return <Palette {...request} onClose={close} />;
    case 'keyboard-shortcuts':
      return <ShortcutsDialog onClose={close} />;
    case 'create-invite':
      return <CreateInviteDialog workspaceId={request.workspaceId} onClose={close} />;
    case 'change-date':
      return <ChangeDateDialog workspaceId={request.workspaceId} path={request.path} onClose={close} />;
    case 'undo':
      return <UndoDialog {...request} onClose={close} />;
    case 'share':
      return (
        <ShareDialog workspaceId={request.workspaceId} path={request.path} of={request.of} onClose={close} />
      );
  }
}
