import { workspaceNameMaxCharacters } from '@stoa/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { shell } from '../text/en/shell.ts';
import { Button } from '../ui/Button.tsx';
import { type ColorChoice, ColorRadios } from '../ui/ColorRadios.tsx';
import { DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { FormAlert } from '../ui/States.tsx';

/** Name and colour of a new workspace: for the first one, and in a dialog for the others. */
export function NewWorkspaceForm({
  name,
  cancel,
  onCreated,
}: {
  readonly name: string;
  /** Shown before the submit button. */
  readonly cancel?: ReactNode;
  onCreated(workspaceId: string): void;
}) {
  const queries = useQueryClient();
  const [workspaceName, setWorkspaceName] = useState('');
  const [color, setColor] = useState<ColorChoice>('none');
  const alertId = useId();
  const field = useRef<HTMLInputElement>(null);
  const create = useMutation({
    mutationFn: () => client.createWorkspace({ name: workspaceName, ...(color === 'none' ? {} : { color }) }),
    onSuccess: async (outcome) => {
      if (outcome.kind !== 'created') return;
      await queries.invalidateQueries({ queryKey: queryKeys.workspaces });
      onCreated(outcome.id);
    },
    onError: () => field.current?.focus(),
  });
  const problem =
    create.data?.kind === 'workspace_limit_exceeded'
      ? shell.workspaceLimit(create.data.limit)
      : (create.error?.message ?? null);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  }

  const button = (
    <Button kind="primary" type="submit" needsServer aria-busy={create.isPending}>
      {shell.createWorkspace}
    </Button>
  );
  return (
    <form className="account-form" aria-label={name} onSubmit={submit} noValidate>
      <Field
        ref={field}
        label={shell.workspaceName}
        value={workspaceName}
        maxLength={workspaceNameMaxCharacters}
        autoComplete="off"
        required
        wrongBy={problem === null ? undefined : alertId}
        onChange={(event) => setWorkspaceName(event.target.value)}
      />
      <ColorRadios value={color} onChange={setColor} />
      <FormAlert id={alertId}>{problem}</FormAlert>
      {cancel === undefined ? (
        button
      ) : (
        <DialogButtons>
          {cancel}
          {button}
        </DialogButtons>
      )}
    </form>
  );
}
