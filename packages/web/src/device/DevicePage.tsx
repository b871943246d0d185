import { StoaApiError } from '@stoa/client';
import type { DeviceRequest } from '@stoa/contract';
import { workspaceKeyName } from '@stoa/core';
import { useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { client } from '../api/client.ts';
import { useWorkspaces } from '../api/use-workspace.ts';
import { device as texts } from '../text/en/device.ts';
import { keyLimits } from '../text/en/keys.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { isKeyPath, KeyExpiryField, KeyLimitFields, keyLimitsOf, noLimits } from '../ui/KeyLimits.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { FormAlert } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { useTask } from '../ui/use-task.ts';
import { hasEnded, noticeOf } from './device-error.ts';
import { isFolderLink } from './folder-link.ts';
import '../ui/page.css';
import './device.css';

type Step =
  | { readonly kind: 'code' }
  | { readonly kind: 'review'; readonly request: DeviceRequest }
  | { readonly kind: 'approved' | 'denied' };

/** Approves or denies a device (`/link`). The user has to compare the code first. */
export function DevicePage() {
  const { code } = useSearch({ strict: false }) as { readonly code?: string };
  return (
    <PlainPage>
      <PageHeading title={texts.title} />
      <Steps key={code} code={code ?? ''} />
    </PlainPage>
  );
}

function Steps({ code: given }: { readonly code: string }) {
  const [code, setCode] = useState(given);
  const [step, setStep] = useState<Step>({ kind: 'code' });
  const alertId = useId();
  const task = useTask();
  switch (step.kind) {
    case 'approved':
      return (
        <p role="status" tabIndex={-1}>
          {texts.approved}
        </p>
      );
    case 'denied':
      return (
        <p role="status" tabIndex={-1}>
          {texts.denied}
        </p>
      );
    case 'review':
      return (
        <Review
          request={step.request}
          onEnd={(kind) => setStep({ kind })}
          onRejected={(message) => {
            setStep({ kind: 'code' });
            task.setError(message);
          }}
        />
      );
    case 'code':
      return (
        <>
          <p className="page-intro">{texts.intro}</p>
          <form
            className="page-form device-form"
            aria-label={texts.title}
            onSubmit={(event) => {
              event.preventDefault();
              task.run(() =>
                inWords(async () => setStep({ kind: 'review', request: await client.lookUpDevice(code) })),
              );
            }}
          >
            <Field
              label={texts.code}
              wrongBy={task.error === null ? undefined : alertId}
              value={code}
              required
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder="XXXX-XXXX"
              onChange={(event) => setCode(event.target.value)}
            />
            <FormAlert id={alertId}>{task.error}</FormAlert>
            <Button kind="primary" type="submit" needsServer aria-busy={task.busy}>
              {texts.continue}
            </Button>
          </form>
        </>
      );
  }
}

function Review({
  request,
  onEnd,
  onRejected,
}: {
  readonly request: DeviceRequest;
  onEnd(kind: 'approved' | 'denied'): void;
  onRejected(message: string): void;
}) {
  const workspaces = useWorkspaces();
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState<string>(workspaceKeyName);
  const [actorType, setActorType] = useState('human');
  const [limits, setLimits] = useState(noLimits);
  const alertId = useId();
  const task = useTask();
  const isPathWrong = !isKeyPath(limits.path);
  const options = (workspaces.data ?? []).map(({ id, name }) => ({ value: id, label: visibleName(name) }));
  const workspaceId = chosen === '' ? (options[0]?.value ?? '') : chosen;
  const isApproved = request.status === 'approved';
  const { userCode } = request;

  /** On an expired or used code, returns to the field and shows the reason. */
  const response = (work: () => Promise<void>) =>
    task.run(() =>
      inWords(async () => {
        try {
          await work();
        } catch (error) {
          if (!(error instanceof StoaApiError) || !hasEnded(error)) throw error;
          onRejected(noticeOf(error));
        }
      }),
    );
  const approve = () =>
    response(async () => {
      if (isPathWrong) return task.setError(keyLimits.wrongPath);
      // The button can be pressed while the workspaces are loading.
      const { data = [] } = workspaces.isSuccess
        ? workspaces
        : await workspaces.refetch({ cancelRefetch: false, throwOnError: true });
      const approvedId = chosen === '' ? data[0]?.id : chosen;
      if (approvedId === undefined) return;
      await client.approveDevice({
        userCode,
        workspaceId: approvedId,
        name: name.trim(),
        actorType: actorType === 'agent' ? 'agent' : 'human',
        ...keyLimitsOf(limits, true),
      });
      onEnd('approved');
    });
  const deny = () =>
    response(async () => {
      await client.denyDevice(userCode);
      onEnd('denied');
    });

  return (
    <>
      {/* Gets the focus from the removed button, as the first text to read. */}
      <p tabIndex={-1}>{isApproved ? texts.approvedAlready : texts.compare}</p>
      <p className="device-code">{userCode}</p>
      <dl className="page-facts">
        <dt>{texts.askedFrom}</dt>
        <dd>{request.clientAddress}</dd>
        <dt>{texts.by}</dt>
        <dd dir="auto">{request.userAgent === '' ? texts.unnamedProgram : visibleName(request.userAgent)}</dd>
        <dt>{texts.at}</dt>
        <dd>
          <Time at={request.createdAt} />
        </dd>
      </dl>
      <p className="page-intro">{texts.sentByOthers}</p>
      {isApproved ? null : workspaces.data?.length === 0 ? (
        <p>
          {texts.noWorkspace} <AppLink to="/">{texts.createWorkspace}</AppLink>
        </p>
      ) : (
        <form
          className="page-form device-form"
          aria-label={texts.title}
          id="device-approval"
          onSubmit={(event) => {
            event.preventDefault();
            approve();
          }}
        >
          <Select label={texts.workspace} value={workspaceId} onChange={setChosen} options={options} />
          <Field
            label={texts.keyName}
            wrongBy={task.error === null || isPathWrong ? undefined : alertId}
            value={name}
            required
            onChange={(event) => setName(event.target.value)}
          />
          <Select
            label={texts.usedBy}
            value={actorType}
            onChange={setActorType}
            options={[
              { value: 'human', label: texts.human },
              { value: 'agent', label: texts.agent },
            ]}
          />
          {isFolderLink(request) ? (
            <>
              <p>{texts.wholeWorkspace}</p>
              <KeyExpiryField limits={limits} onChange={setLimits} />
            </>
          ) : (
            <KeyLimitFields
              limits={limits}
              hasWorkspace
              pathWrongBy={task.error !== null && isPathWrong ? alertId : undefined}
              onChange={setLimits}
            />
          )}
        </form>
      )}
      <FormAlert id={alertId}>{task.error}</FormAlert>
      <div className="page-actions">
        {isApproved || workspaces.data?.length === 0 ? null : (
          <Button kind="primary" type="submit" needsServer form="device-approval" aria-busy={task.busy}>
            {texts.approve}
          </Button>
        )}
        <Button needsServer onClick={deny}>
          {texts.deny}
        </Button>
      </div>
    </>
  );
}

/** Rethrows an error with a message for this page. */
async function inWords(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof StoaApiError ? new Error(noticeOf(error)) : error;
  }
}
