import type { CreatedInvite } from '@stoa/contract';
import { inviteUsesMax } from '@stoa/core';
import { useId, useState } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { invites as texts } from '../text/en/invites.ts';
import { notices } from '../text/en/notices.ts';
import { ui } from '../text/en/ui.ts';
import { Button } from '../ui/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { FormAlert } from '../ui/States.tsx';
import { useTask } from '../ui/use-task.ts';
import '../ui/page.css';

const dayChoices = [1, 7, 30, 90] as const;

/** Creates an invite and shows its address. This is the only time that the address is known. */
export function CreateInviteDialog({
  workspaceId,
  onClose,
}: {
  readonly workspaceId: string;
  onClose(): void;
}) {
  const [days, setDays] = useState('7');
  const [uses, setUses] = useState('');
  const [created, setCreated] = useState<CreatedInvite | null>(null);
  const alertId = useId();
  const task = useTask();
  const create = async () => {
    const maxUses = parseUses(uses);
    setCreated(
      await client.createInvite({
        workspaceId,
        expiresInDays: Number(days),
        ...(maxUses === null ? {} : { maxUses }),
      }),
    );
    await queryClient.invalidateQueries({ queryKey: queryKeys.invites(workspaceId) });
  };
  return (
    <Dialog title={texts.create} onClose={onClose}>
      {created === null ? (
        <form
          className="page-form"
          aria-label={texts.create}
          onSubmit={(event) => {
            event.preventDefault();
            if (areUses(uses)) task.run(create);
            else task.setError(texts.usesWrong(inviteUsesMax));
          }}
        >
          <Select
            label={texts.expiresAfter}
            value={days}
            onChange={setDays}
            options={dayChoices.map((count) => ({ value: String(count), label: texts.days(count) }))}
          />
          <Field
            label={texts.uses}
            wrongBy={task.error === null ? undefined : alertId}
            description={texts.usesDescription}
            inputMode="numeric"
            value={uses}
            onChange={(event) => setUses(event.target.value)}
          />
          <FormAlert id={alertId}>{task.error}</FormAlert>
          <DialogButtons>
            <Button onClick={onClose}>{ui.cancel}</Button>
            <Button kind="primary" type="submit" needsServer aria-busy={task.busy}>
              {texts.createLink}
            </Button>
          </DialogButtons>
        </form>
      ) : (
        <>
          <p>{texts.onlyNow}</p>
          <div className="page-copy-row">
            <Field
              label={texts.link}
              value={created.url}
              readOnly
              autoFocus
              onFocus={(event) => event.target.select()}
            />
            <Button icon="copy" onClick={() => copyText(created.url, notices.linkCopied)}>
              {texts.copyLink}
            </Button>
          </div>
          <DialogButtons>
            <Button kind="primary" onClick={onClose}>
              {texts.done}
            </Button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}

function areUses(text: string): boolean {
  const count = parseUses(text);
  return count === null || (Number.isSafeInteger(count) && count >= 1 && count <= inviteUsesMax);
}

function parseUses(text: string): number | null {
  const typed = text.trim();
  return typed === '' ? null : /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
}
