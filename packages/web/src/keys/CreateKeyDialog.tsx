import type { CreatedKey } from '@stoa/contract';
import { useId, useState } from 'react';
import { client } from '../api/client.ts';
import { useWorkspaces } from '../api/use-workspace.ts';
import { keys as texts } from '../text/en/keys.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { RadioGroup } from '../ui/Choice.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { isKeyPath, KeyLimitFields, keyLimitsOf, noLimits } from '../ui/KeyLimits.tsx';
import { FormAlert } from '../ui/States.tsx';
import { useTask } from '../ui/use-task.ts';
import '../ui/page.css';

export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  onClose(): void;
  onCreated(key: CreatedKey): void;
}) {
  const workspaces = useWorkspaces();
  const [name, setName] = useState('');
  const [actorType, setActorType] = useState<'agent' | 'human'>('agent');
  const [workspaceId, setWorkspaceId] = useState('');
  const [limits, setLimits] = useState(noLimits);
  const alertId = useId();
  const task = useTask();
  const isPathWrong = workspaceId !== '' && !isKeyPath(limits.path);
  const create = async () => {
    onCreated(
      await client.createKey({
        name: name.trim(),
        actorType,
        ...(workspaceId === '' ? {} : { workspaceId }),
        ...keyLimitsOf(limits, workspaceId !== ''),
      }),
    );
  };
  return (
    <Dialog title={texts.create} onClose={onClose}>
      <form
        className="page-form"
        aria-label={texts.create}
        onSubmit={(event) => {
          event.preventDefault();
          task.run(create);
        }}
      >
        <Field
          label={texts.name}
          description={texts.nameDescription}
          wrongBy={task.error === null || isPathWrong ? undefined : alertId}
          value={name}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <RadioGroup
          label={texts.usedBy}
          value={actorType}
          onChange={(chosen) => setActorType(chosen)}
          options={[
            { value: 'agent', label: texts.agent },
            { value: 'human', label: texts.human },
          ]}
        />
        <Select
          label={texts.worksIn}
          value={workspaceId}
          onChange={setWorkspaceId}
          options={[
            { value: '', label: texts.allWorkspaces },
            ...(workspaces.data ?? []).map(({ id, name }) => ({ value: id, label: visibleName(name) })),
          ]}
        />
        <KeyLimitFields
          limits={limits}
          hasWorkspace={workspaceId !== ''}
          pathWrongBy={task.error !== null && isPathWrong ? alertId : undefined}
          onChange={setLimits}
        />
        <FormAlert id={alertId}>{task.error}</FormAlert>
        <DialogButtons>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" needsServer aria-busy={task.busy}>
            {texts.createButton}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
