import { type FormEvent, useRef, useState } from 'react';
import { nameOf } from '../api/listing-index.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { FormAlert } from '../ui/States.tsx';
import { moveItems } from './change-files.ts';
import { checkRename } from './check-name.ts';
import { shownListing } from './files-context.ts';
import { refusalText } from './NewEntryDialog.tsx';
import { useFiles } from './use-files.ts';

export function RenameDialog({
  workspaceId,
  path,
  name: suggested = nameOf(path),
  onClose,
}: {
  readonly workspaceId: string;
  readonly path: string;
  /** What the field begins with. */
  readonly name?: string | undefined;
  onClose(): void;
}) {
  const context = useFiles(workspaceId);
  const [name, setName] = useState(suggested);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const title = texts.renameTitle(visibleName(nameOf(path)));

  function focusStem() {
    const { current } = field;
    if (current === null) return;
    const dot = current.value.lastIndexOf('.');
    current.focus();
    current.setSelectionRange(0, dot > 0 ? dot : current.value.length);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const check = checkRename(name, path, shownListing(context));
    if (check.kind !== 'free') {
      setProblem(refusalText(check));
      field.current?.focus();
      return;
    }
    onClose();
    if (check.path !== path) void moveItems(context, [{ from: path, to: check.path }]);
  }

  return (
    <Dialog title={title} onClose={onClose} focusFirst={focusStem}>
      <form className="files-form" aria-label={title} onSubmit={submit} noValidate>
        <FormAlert>{problem}</FormAlert>
        <Field
          ref={field}
          label={texts.newName}
          value={name}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          onChange={(event) => setName(event.target.value)}
        />
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit">
            {texts.rename}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
