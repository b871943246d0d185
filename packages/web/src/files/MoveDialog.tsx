import { type FormEvent, useId, useState } from 'react';
import { nameOf } from '../api/listing-index.ts';
import { useListing } from '../api/use-listing.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { ComboList, comboKey } from '../ui/ComboList.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { FormAlert } from '../ui/States.tsx';
import { moveItems } from './change-files.ts';
import { firstTarget, moveTargets, takenAt } from './move-targets.ts';
import { useFiles } from './use-files.ts';
import { movesInto } from './work-plan.ts';

export function MoveDialog({
  workspaceId,
  paths,
  onClose,
}: {
  readonly workspaceId: string;
  readonly paths: readonly string[];
  onClose(): void;
}) {
  const context = useFiles(workspaceId);
  const state = useListing(workspaceId);
  const [typed, setTyped] = useState('');
  /** Null until the user chooses. */
  const [picked, setPicked] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const listId = useId();
  const [only] = paths;
  const title =
    paths.length === 1 && only !== undefined
      ? texts.moveTitle(visibleName(nameOf(only)))
      : texts.moveManyTitle(paths.length);
  if (state.kind !== 'ready') return null;
  const { listing } = state;
  const top = texts.topOf(visibleName(context.workspaceName));
  const targets = moveTargets(listing, paths, typed, top);
  const at = Math.min(picked ?? firstTarget(targets), targets.length - 1);
  const chosen = targets[at];
  const error = chosen === undefined ? texts.noFolder : chosen.isHere ? texts.alreadyThere : null;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (chosen === undefined || error !== null) return;
    const taken = takenAt(listing, paths, chosen.path);
    if (taken !== null) {
      setProblem(texts.taken(visibleName(taken)));
      return;
    }
    onClose();
    const moves = movesInto(paths, chosen.path).filter(({ from, to }) => from !== to);
    void moveItems(context, moves);
  }

  return (
    <Dialog title={title} size="medium" grows onClose={onClose}>
      <form className="files-form" aria-label={title} onSubmit={submit} noValidate>
        <FormAlert id={`${listId}-alert`}>{problem}</FormAlert>
        <Field
          label={texts.findFolder}
          value={typed}
          wrongBy={problem === null ? undefined : `${listId}-alert`}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={chosen === undefined ? undefined : `${listId}-${at}`}
          onChange={(event) => {
            setTyped(event.target.value);
            setPicked(null);
            setProblem(null);
          }}
          onKeyDown={(event) => {
            const next = comboKey(event.key, at, targets.length);
            if (next === null) return;
            event.preventDefault();
            setPicked(next);
            setProblem(null);
          }}
        />
        <ComboList
          id={listId}
          label={texts.folders}
          at={at}
          options={targets.map(({ path, isNew, isHere }) => ({
            key: `${isNew} ${path}`,
            label: isNew ? texts.newFolderOption(visibleName(path)) : path === '' ? top : visibleName(path),
            description: isHere ? texts.alreadyThere : undefined,
            picture: <Icon name={isNew ? 'folder-plus' : 'folder'} />,
          }))}
          empty={texts.noFolder}
          onPick={(index) => {
            setPicked(index);
            setProblem(null);
          }}
        />
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" needsServer disabledBecause={error}>
            {texts.moveHere}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
