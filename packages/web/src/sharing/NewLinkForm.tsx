import { type ShareAccess, sharePasswordMinCharacters } from '@stoa/core';
import { useId, useState } from 'react';
import { client } from '../api/client.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { sharing as texts } from '../text/en/sharing.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox, RadioGroup } from '../ui/Choice.tsx';
import { Field } from '../ui/Field.tsx';
import { notify } from '../ui/notices.ts';
import { FormAlert } from '../ui/States.tsx';
import { useTask } from '../ui/use-task.ts';
import '../ui/page.css';

export function NewLinkForm({
  workspaceId,
  workspaceName,
  path,
  of,
  file,
  isHtml,
}: {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly path: string;
  readonly of: 'file' | 'folder';
  /** Null for a folder, and for a file that no longer exists. */
  readonly file: FileEntry | null;
  readonly isHtml: boolean;
}) {
  const [access, setAccess] = useState<ShareAccess>('member');
  const [password, setPassword] = useState('');
  const [isPinned, setPinned] = useState(false);
  const [allowScripts, setAllowScripts] = useState(false);
  const alertId = useId();
  const task = useTask();
  const create = async () => {
    if (password !== '' && [...password].length < sharePasswordMinCharacters)
      throw new Error(texts.passwordTooShort(sharePasswordMinCharacters));
    await client.createShare(workspaceId, {
      path,
      kind: of,
      access,
      ...(password === '' ? {} : { password }),
      // The hash identifies the version, because numbers restart after a move.
      ...(isPinned && file !== null
        ? { pinnedVersion: file.version, pinnedContentHash: file.contentHash ?? null }
        : {}),
      ...(allowScripts && isHtml ? { allowScripts: true } : {}),
    });
    setPassword('');
    await queryClient.invalidateQueries({ queryKey: queryKeys.shares(workspaceId) });
    notify({ text: texts.created });
  };
  return (
    <form
      className="page-form share-form"
      aria-label={texts.newLink}
      onSubmit={(event) => {
        event.preventDefault();
        task.run(create);
      }}
    >
      <RadioGroup
        label={texts.access}
        value={access}
        onChange={(chosen) => setAccess(chosen)}
        options={[
          { value: 'member', label: texts.members(workspaceName) },
          { value: 'public', label: texts.public },
        ]}
      />
      {access === 'public' ? <p className="share-warning">{texts.publicWarning}</p> : null}
      <Field
        label={texts.password}
        wrongBy={task.error === null || password === '' ? undefined : alertId}
        type="password"
        autoComplete="new-password"
        description={texts.optional(sharePasswordMinCharacters)}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {password === '' ? null : <p className="share-warning">{texts.passwordWarning}</p>}
      {file === null ? null : <Checkbox label={texts.pinned} checked={isPinned} onChange={setPinned} />}
      {isHtml ? (
        <>
          <Checkbox label={texts.scripts} checked={allowScripts} onChange={setAllowScripts} />
          {allowScripts ? <p className="share-warning">{texts.scriptsWarning}</p> : null}
        </>
      ) : null}
      <FormAlert id={alertId}>{task.error}</FormAlert>
      <Button kind="primary" type="submit" needsServer icon="link" aria-busy={task.busy}>
        {texts.create}
      </Button>
    </form>
  );
}
