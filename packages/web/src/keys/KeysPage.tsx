import type { CreatedKey, KeyRecord } from '@stoa/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspaces } from '../api/use-workspace.ts';
import { keyLimits, keys as texts } from '../text/en/keys.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { DialogOpeners } from '../ui/dialog-opener.ts';
import { askToConfirm } from '../ui/dialogs.ts';
import { Icon } from '../ui/Icon.tsx';
import { notify } from '../ui/notices.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PageTable } from '../ui/PageTable.tsx';
import { EmptyState, Loaded } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { attempt } from '../ui/use-task.ts';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { KeyCreatedDialog } from './KeyCreatedDialog.tsx';
import { installCommand } from './key-snippets.ts';

/** The API keys of the user (`/account/keys`). */
export function KeysPage() {
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const keys = useQuery({
    queryKey: queryKeys.keys,
    queryFn: async ({ signal }) => (await client.listKeys({ signal })).keys,
  });
  // The first key replaces this button by another one, so the focus returns to the current one.
  const [createButton, setCreateButton] = useState<HTMLElement | null>(null);
  const create = (
    <Button ref={setCreateButton} kind="primary" icon="plus" needsServer onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <PageHeading title={texts.title} />
      <p className="page-intro">{texts.intro}</p>
      <CommandLine />
      <Loaded asked={keys} what={texts.what} rows={4}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon="key" text={texts.empty}>
              {create}
            </EmptyState>
          ) : (
            <>
              <KeyTable keys={all} />
              <div className="page-actions">{create}</div>
            </>
          )
        }
      </Loaded>
      {creating ? (
        <CreateKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            void queryClient.invalidateQueries({ queryKey: queryKeys.keys });
          }}
        />
      ) : null}
      {created === null ? null : (
        <DialogOpeners value={createButton === null ? [] : [createButton]}>
          <KeyCreatedDialog created={created} onStored={() => setCreated(null)} />
        </DialogOpeners>
      )}
    </>
  );
}

/** In a shell no key from this page is needed, because linking creates one. */
function CommandLine() {
  const command = installCommand(location.origin);
  return (
    <div className="page-intro">
      <p>
        {texts.commandLine} <code className="page-command">{command}</code>
      </p>
      <p>
        {texts.commandLineLink} <code className="page-command">{texts.linkCommand(location.host)}</code>
      </p>
    </div>
  );
}

function KeyTable({ keys }: { readonly keys: readonly KeyRecord[] }) {
  return (
    <PageTable
      label={texts.title}
      columns={[
        texts.columnName,
        texts.columnKind,
        texts.columnWorkspace,
        texts.columnCreated,
        texts.columnLastUsed,
        { label: texts.columnActions, as: 'hidden' },
      ]}
    >
      {keys.map((key) => (
        <KeyRow key={key.id} record={key} />
      ))}
    </PageTable>
  );
}

function KeyRow({ record }: { readonly record: KeyRecord }) {
  const workspaces = useWorkspaces();
  const name = visibleName(record.name);
  const { actorType, workspaceId, access, path, expiresAt } = record.metadata;
  const workspace = workspaces.data?.find(({ id }) => id === workspaceId)?.name;
  const isAgent = actorType === 'agent';
  const revoke = async () => {
    const question = {
      title: texts.revokeQuestion(name),
      text: texts.revokeText,
      action: texts.revokeAction,
    };
    if (!(await askToConfirm(question))) return;
    await client.revokeKey(record.id);
    await queryClient.invalidateQueries({ queryKey: queryKeys.keys });
    notify({ text: texts.revoked });
  };
  return (
    <tr aria-label={name}>
      <td dir="auto">{name}</td>
      <td>
        <span className="page-fact">
          <Icon name={isAgent ? 'agent' : 'person'} />
          {isAgent ? texts.kindAgent : texts.kindHuman}
        </span>
        {access === undefined ? null : <div>{keyLimits[access]}</div>}
      </td>
      <td dir="auto">
        {workspaceId === undefined ? texts.allWorkspaces : visibleName(workspace ?? texts.formerWorkspace)}
        {path === undefined ? null : (
          <div>
            {keyLimits.onlyInFact} {visibleName(path)}
          </div>
        )}
      </td>
      <td>
        <Time at={record.createdAt} />
        {expiresAt === undefined ? null : (
          <div>
            {keyLimits.endsAt} <Time at={expiresAt} />
          </div>
        )}
      </td>
      <td>{record.lastUsedAt === null ? texts.neverUsed : <Time at={record.lastUsedAt} />}</td>
      <td>
        <Button
          kind="quiet"
          needsServer
          onClick={() => attempt((why) => ui.notPossible(texts.revoke(name), why), revoke)}
        >
          {texts.revoke(name)}
        </Button>
      </td>
    </tr>
  );
}
