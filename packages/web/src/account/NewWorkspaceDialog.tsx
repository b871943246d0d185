import { folderAddress } from '../api/addresses.ts';
import { shell } from '../text/en/shell.ts';
import { ui } from '../text/en/ui.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { NewWorkspaceForm } from './NewWorkspaceForm.tsx';

export function NewWorkspaceDialog({ onClose }: { onClose(): void }) {
  const goTo = useGoTo();
  return (
    <Dialog title={shell.newWorkspace} size="medium" onClose={onClose}>
      <NewWorkspaceForm
        name={shell.newWorkspace}
        cancel={<Button onClick={onClose}>{ui.cancel}</Button>}
        onCreated={(id) => {
          onClose();
          goTo(folderAddress(id, ''));
        }}
      />
    </Dialog>
  );
}
