import { type FormEvent, useRef, useState } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Choice.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { FormAlert } from '../ui/States.tsx';
import { checkNewName, type NameCheck } from './check-name.ts';
import { shownListing } from './files-context.ts';
import { makeFile, makeFolder } from './make-files.ts';
import { useFiles } from './use-files.ts';

/** `New file` and `New folder`. */
export function NewEntryDialog({
  kind,
  workspaceId,
  folder,
  onClose,
}: {
  readonly kind: 'new-file' | 'new-folder';
  readonly workspaceId: string;
  readonly folder: string;
  onClose(): void;
}) {
  const context = useFiles(workspaceId);
  const isFile = kind === 'new-file';
  const title = isFile ? texts.newFile : texts.newFolder;
  const [name, setName] = useState<string>(isFile ? texts.newFileName : '');
  const [isPrivate, setPrivate] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function focusStem() {
    const { current } = field;
    if (current === null) return;
    const dot = current.value.lastIndexOf('.');
    current.focus();
    current.setSelectionRange(0, dot > 0 ? dot : current.value.length);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const check = checkNewName(name, folder, shownListing(context));
    if (check.kind !== 'free') {
      setProblem(refusalText(check));
      field.current?.focus();
      return;
    }
    setBusy(true);
    const outcome = isFile
      ? await makeFile(context, check.path)
      : await makeFolder(context, check.path, isPrivate);
    if (outcome.kind === 'refused') {
      setBusy(false);
      setProblem(outcome.message);
      field.current?.focus();
      return;
    }
    onClose();
    context.go(
      isFile
        ? fileAddress(workspaceId, check.path, { mode: 'edit' })
        : folderAddress(workspaceId, check.path),
    );
  }

  return (
    <Dialog title={title} onClose={onClose} focusFirst={focusStem}>
      <form className="files-form" aria-label={title} onSubmit={submit} noValidate>
        <FormAlert>{problem}</FormAlert>
        <Field
          ref={field}
          label={texts.name}
          value={name}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          onChange={(event) => setName(event.target.value)}
        />
        {isFile ? null : <Checkbox label={texts.private} checked={isPrivate} onChange={setPrivate} />}
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit">
            {texts.create}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Why a name was refused, for the alert of a form. */
export function refusalText(check: Exclude<NameCheck, { readonly kind: 'free' }>): string {
  return check.kind === 'taken' ? texts.taken(visibleName(check.name)) : texts.unusableName(check.reason);
}
