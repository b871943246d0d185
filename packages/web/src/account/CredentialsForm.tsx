import { type ComponentProps, type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { account as texts } from '../text/en/account.ts';
import { Button } from '../ui/Button.tsx';
import { DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { type CredentialField, type FormProblem, missingField, problem } from './credentials.ts';
import { ProblemAlert } from './ProblemAlert.tsx';
import './account.css';

/** The entries of a sign-in or sign-up form. Only new users enter a name. */
export type Credentials = Readonly<Record<CredentialField, string>>;

/** The sign-in and sign-up form. An error appears above the button; the entries stay. */
export function CredentialsForm({
  name,
  isNew,
  action,
  knownEmail = '',
  otherButtons,
  send,
}: {
  readonly name: string;
  readonly isNew: boolean;
  /** Of the button. */
  readonly action: string;
  readonly knownEmail?: string;
  /** In a dialog: the other buttons of its row. */
  readonly otherButtons?: ReactNode;
  /** Resolves to the reason of a failure, or to null on success. */
  send(credentials: Credentials): Promise<FormProblem | null>;
}) {
  const [typed, setTyped] = useState<Credentials>({ name: '', email: knownEmail, password: '' });
  const [wrong, setWrong] = useState<FormProblem | null>(null);
  const [busy, setBusy] = useState(false);
  const inputs = {
    name: useRef<HTMLInputElement>(null),
    email: useRef<HTMLInputElement>(null),
    password: useRef<HTMLInputElement>(null),
  };

  function reject(what: FormProblem) {
    setWrong(what);
    if (what.kind !== 'text') return;
    if (what.forgetsPassword === true) setTyped((now) => ({ ...now, password: '' }));
    inputs[what.field].current?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const missing = missingField(typed, { isNew });
    if (missing !== null) return reject(missing);
    if (busy) return;
    setWrong(null);
    setBusy(true);
    const trimmed = { name: typed.name.trim(), email: typed.email.trim(), password: typed.password };
    const rejected = await send(trimmed).catch((error: Error) => problem('email', error.message));
    setBusy(false);
    if (rejected !== null) reject(rejected);
  }

  const alertId = useId();
  const field = (of: CredentialField, label: string, more: Partial<ComponentProps<typeof Field>>) => (
    <Field
      ref={inputs[of]}
      label={label}
      value={typed[of]}
      wrongBy={wrong?.kind === 'text' && wrong.field === of ? alertId : undefined}
      onChange={(event) => {
        const { value } = event.target;
        setTyped((now) => ({ ...now, [of]: value }));
      }}
      {...more}
    />
  );
  const button = (
    <Button kind="primary" type="submit" needsServer aria-busy={busy}>
      {action}
    </Button>
  );
  return (
    <form className="account-form" aria-label={name} onSubmit={submit} noValidate>
      {isNew ? field('name', texts.name, { autoComplete: 'name' }) : null}
      {field('email', texts.email, { type: 'email', autoComplete: 'username' })}
      {field('password', texts.password, {
        type: 'password',
        // A known user only has to enter the password.
        autoFocus: knownEmail !== '',
        autoComplete: isNew ? 'new-password' : 'current-password',
        description: isNew ? texts.passwordRule : undefined,
      })}
      <ProblemAlert id={alertId} problem={wrong} />
      {otherButtons === undefined ? (
        button
      ) : (
        <DialogButtons>
          {otherButtons}
          {button}
        </DialogButtons>
      )}
    </form>
  );
}
