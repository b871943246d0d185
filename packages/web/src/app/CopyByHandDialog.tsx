import { ui } from '../text/en/ui.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { TextArea } from '../ui/Field.tsx';
import { keysText } from '../ui/keys.ts';

/** Shows the text selected, for pages without access to the clipboard. */
export function CopyByHandDialog({ text, onClose }: { readonly text: string; onClose(): void }) {
  return (
    <Dialog title={ui.copyByHandTitle} size="medium" onClose={onClose}>
      <TextArea
        label={ui.copyByHand(keysText('Mod'))}
        value={text}
        readOnly
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <DialogButtons>
        <Button onClick={onClose}>{ui.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}
