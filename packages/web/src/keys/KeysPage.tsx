import type { CreatedKey, KeyRecord } from '@stoa/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspaces } from '../api/use-workspace.ts';
import { keys as texts } from '../text/en/keys.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { askToConfirm } from '../ui/dialogs.ts';
import { Icon } from '../ui/Icon.tsx';
import { notify } from '../ui/notices.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { EmptyState, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { attempt } from '../ui/use-task.ts';
import '../ui/page.css';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { KeyCreatedDialog } from './KeyCreatedDialog.tsx';

/** The keys of the person who is signed in (`/account/keys`). */
export function KeysPage() {
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const keys = useQuery({
    queryKey: queryKeys.keys,
    queryFn: async ({ signal }) => (await client.listKeys({ signal })).keys,
  });
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <PageHeading title={texts.title} />
      <p className="page-intro">{texts.intro}</p>
      {keys.isPending ? (
        <LoadingLines rows={4} />
      ) : keys.isError ? (
        <LoadFailure what={texts.what} error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data.length === 0 ? (
        <EmptyState icon="key" text={texts.empty}>
          {create}
        </EmptyState>
      ) : (
        <>
          <KeyTable keys={keys.data} />
          <div className="page-actions">{create}</div>
        </>
      )}
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
      {created === null ? null : <KeyCreatedDialog created={created} onStored={() => setCreated(null)} />}
    </>
  );
}

function KeyTable({ keys }: { readonly keys: readonly KeyRecord[] }) {
  return (
    <div className="page-table-frame">
      <table className="page-table" aria-label={texts.title}>
        <thead>
          <tr>
            <th scope="col">{texts.columnName}</th>
            <th scope="col">{texts.columnKind}</th>
            <th scope="col">{texts.columnWorkspace}</th>
            <th scope="col">{texts.columnCreated}</th>
            <th scope="col">{texts.columnLastUsed}</th>
            <th scope="col">
              <span className="visually-hidden">{texts.columnActions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} record={key} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyRow({ record }: { readonly record: KeyRecord }) {
  const workspaces = useWorkspaces();
  const name = visibleName(record.name);
  const { actorType, workspaceId } = record.metadata;
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
      </td>
      <td dir="auto">
        {workspaceId === undefined ? texts.allWorkspaces : visibleName(workspace ?? texts.formerWorkspace)}
      </td>
      <td>
        <Time at={record.createdAt} />
      </td>
      <td>{record.lastUsedAt === null ? texts.neverUsed : <Time at={record.lastUsedAt} />}</td>
      <td>
        <Button
          kind="quiet"
          onClick={() => attempt((why) => ui.notPossible(texts.revoke(name), why), revoke)}
        >
          {texts.revoke(name)}
        </Button>
      </td>
    </tr>
  );
}
