import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { FormAlert } from '../ui/States.tsx';
import type { NameCheck } from './check-name.ts';

type FreeName = Extract<NameCheck, { readonly kind: 'free' }>;

/** Asks for a name. A problem is shown above the field, which keeps the typed text. */
export function EntryNameDialog({
  title,
  label,
  action,
  initial,
  check,
  onName,
  onClose,
  children,
}: {
  readonly title: string;
  /** Of the field. */
  readonly label: string;
  /** Of the button. */
  readonly action: string;
  readonly initial: string;
  check(name: string): NameCheck;
  /** Accepts a free name. Returns the reason if it was rejected after all, otherwise null. */
  onName(free: FreeName): Promise<string | null>;
  onClose(): void;
  /** Below the field. */
  readonly children?: ReactNode;
}) {
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const alertId = useId();
  const field = useRef<HTMLInputElement>(null);

  function focusStem() {
    const { current } = field;
    if (current === null) return;
    const dot = current.value.lastIndexOf('.');
    current.focus();
    current.setSelectionRange(0, dot > 0 ? dot : current.value.length);
  }

  function reject(why: string) {
    setProblem(why);
    field.current?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const checked = check(name);
    if (checked.kind !== 'free') return reject(errorText(checked));
    setBusy(true);
    const rejected = await onName(checked);
    if (rejected === null) return onClose();
    setBusy(false);
    reject(rejected);
  }

  return (
    <Dialog title={title} onClose={onClose} focusFirst={focusStem}>
      <form className="files-form" aria-label={title} onSubmit={submit} noValidate>
        <FormAlert id={alertId}>{problem}</FormAlert>
        <Field
          ref={field}
          label={label}
          value={name}
          wrongBy={problem === null ? undefined : alertId}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          onChange={(event) => setName(event.target.value)}
        />
        {children}
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" needsServer>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function errorText(check: Exclude<NameCheck, FreeName>): string {
  return check.kind === 'taken' ? texts.taken(visibleName(check.name)) : texts.unusableName(check.reason);
}
