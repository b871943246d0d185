import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import type { SignedInUser } from '../api/session.ts';
import { account as texts } from '../text/en/account.ts';
import { Button } from '../ui/Button.tsx';
import { DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { type FormProblem, fieldOf, missingField, problem, waitProblem } from './credentials.ts';
import { ProblemAlert } from './ProblemAlert.tsx';
import { useSignUpState } from './use-sign-up-state.ts';
import './account.css';

/** E-mail address and password: on the page, and in the dialog over a page whose session has ended. */
export function SignInForm({
  name,
  knownEmail = '',
  otherButtons,
  onSignedIn,
}: {
  readonly name: string;
  readonly knownEmail?: string;
  /** In a dialog: what stands beside the button that signs in. */
  readonly otherButtons?: ReactNode;
  onSignedIn(user: SignedInUser): void;
}) {
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<FormProblem | null>(null);
  const fields = { email: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) };
  const { data: server } = useSignUpState();
  const signIn = useMutation({
    mutationFn: () => client.auth.signIn({ email: email.trim(), password }),
    onSuccess: (outcome) => {
      switch (outcome.kind) {
        case 'signed_in':
          return onSignedIn(outcome.user);
        case 'wrong_credentials':
          setPassword('');
          return refuse(problem('email', texts.wrongCredentials));
        case 'too_many_attempts':
          return refuse(waitProblem(outcome.retryAfterSeconds));
        case 'wrong_origin':
          return refuse(problem('email', wrongOriginText(server?.appUrl, outcome.message)));
        case 'invalid':
          return refuse(problem(fieldOf(outcome.message), outcome.message));
      }
    },
    onError: (error) => refuse(problem('email', error.message)),
  });

  function refuse(what: FormProblem) {
    setWrong(what);
    if (what.kind === 'text') (what.field === 'password' ? fields.password : fields.email).current?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const missing = missingField({ email, password }, { isNew: false });
    if (missing !== null) return refuse(missing);
    setWrong(null);
    if (!signIn.isPending) signIn.mutate();
  }

  const alertId = useId();
  const wrongField = wrong?.kind === 'text' ? wrong.field : null;
  const button = (
    <Button kind="primary" type="submit" aria-busy={signIn.isPending}>
      {texts.signIn}
    </Button>
  );
  return (
    <form className="account-form" aria-label={name} onSubmit={submit} noValidate>
      <Field
        ref={fields.email}
        label={texts.email}
        type="email"
        autoComplete="username"
        value={email}
        wrongBy={wrongField === 'email' ? alertId : undefined}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        ref={fields.password}
        label={texts.password}
        type="password"
        autoComplete="current-password"
        value={password}
        wrongBy={wrongField === 'password' ? alertId : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
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

/** The address that the page should have is known from elsewhere; else the server's own words have to do. */
export function wrongOriginText(appUrl: string | undefined, message: string): string {
  return appUrl === undefined ? message : texts.wrongAddress(appUrl);
}
