import { type ComponentProps, type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { account as texts } from '../text/en/account.ts';
import { Button } from '../ui/Button.tsx';
import { DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { type CredentialField, type FormProblem, missingField, problem } from './credentials.ts';
import { ProblemAlert } from './ProblemAlert.tsx';
import './account.css';

/** What a person typed to be let in. The name is asked of new people alone. */
export type Credentials = Readonly<Record<CredentialField, string>>;

/** The form that lets people in, new ones and known ones. What was refused is said above the button, and typed on. */
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
  /** In a dialog: what stands beside the button. */
  readonly otherButtons?: ReactNode;
  /** Answers why the person was not let in; null when they were. */
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

  function refuse(what: FormProblem) {
    setWrong(what);
    if (what.kind !== 'text') return;
    if (what.forgetsPassword === true) setTyped((now) => ({ ...now, password: '' }));
    inputs[what.field].current?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const missing = missingField(typed, { isNew });
    if (missing !== null) return refuse(missing);
    if (busy) return;
    setWrong(null);
    setBusy(true);
    const trimmed = { name: typed.name.trim(), email: typed.email.trim(), password: typed.password };
    const refused = await send(trimmed).catch((error: Error) => problem('email', error.message));
    setBusy(false);
    if (refused !== null) refuse(refused);
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
        // Who is known has the password left to say.
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
