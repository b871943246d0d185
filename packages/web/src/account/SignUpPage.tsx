import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useId, useRef, useState } from 'react';
import { safeNext, signInAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { signedInAs } from '../api/session.ts';
import { account as texts } from '../text/en/account.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { type FormProblem, fieldOf, missingField, problem, waitProblem } from './credentials.ts';
import { ProblemAlert } from './ProblemAlert.tsx';
import { wrongOriginText } from './SignInForm.tsx';
import { useSignUpState } from './use-sign-up-state.ts';
import './account.css';

export function SignUpPage() {
  const { next } = useSearch({ from: '/signup' });
  const server = useSignUpState().data;
  const destination = safeNext(next, location.origin);
  const inviteToken = /^\/invite\/([^/?#]+)/.exec(destination)?.[1];
  const isClosed = server?.signUp === 'closed' || (server?.signUp === 'invite' && inviteToken === undefined);
  return (
    <PlainPage>
      <PageHeading title={texts.createAccount} />
      {server?.signUp === 'first' ? <p className="account-lead">{texts.firstAccount}</p> : null}
      {isClosed ? (
        <p role="alert">{texts.signUpClosed}</p>
      ) : (
        <SignUpForm destination={destination} inviteToken={inviteToken} appUrl={server?.appUrl} />
      )}
      {server?.signUp === 'first' ? null : (
        <p className="account-other">
          {texts.haveAccount} <AppLink to={signInAddress(destination)}>{texts.signIn}</AppLink>
        </p>
      )}
    </PlainPage>
  );
}

function SignUpForm({
  destination,
  inviteToken,
  appUrl,
}: {
  readonly destination: string;
  readonly inviteToken: string | undefined;
  readonly appUrl: string | undefined;
}) {
  const goTo = useGoTo();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<FormProblem | null>(null);
  const fields = {
    name: useRef<HTMLInputElement>(null),
    email: useRef<HTMLInputElement>(null),
    password: useRef<HTMLInputElement>(null),
  };
  const signUp = useMutation({
    mutationFn: () =>
      client.auth.signUp({
        name: name.trim(),
        email: email.trim(),
        password,
        ...(inviteToken === undefined ? {} : { inviteToken: decodeURIComponent(inviteToken) }),
      }),
    onSuccess: (outcome) => {
      switch (outcome.kind) {
        case 'signed_up':
          signedInAs(outcome.user);
          return goTo(destination, { replace: true });
        case 'email_taken':
          return refuse(problem('email', texts.emailTaken));
        case 'sign_up_closed':
          return refuse(problem('email', texts.signUpClosed));
        case 'too_many_attempts':
          return refuse(waitProblem(outcome.retryAfterSeconds));
        case 'wrong_origin':
          return refuse(problem('email', wrongOriginText(appUrl, outcome.message)));
        case 'invalid':
          return refuse(problem(fieldOf(outcome.message), outcome.message));
      }
    },
    onError: (error) => refuse(problem('email', error.message)),
  });

  function refuse(what: FormProblem) {
    setWrong(what);
    if (what.kind === 'text') fields[what.field].current?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const missing = missingField({ name, email, password }, { isNew: true });
    if (missing !== null) return refuse(missing);
    setWrong(null);
    if (!signUp.isPending) signUp.mutate();
  }

  const alertId = useId();
  const wrongField = wrong?.kind === 'text' ? wrong.field : null;
  return (
    <form className="account-form" aria-label={texts.createAccount} onSubmit={submit} noValidate>
      <Field
        ref={fields.name}
        label={texts.name}
        autoComplete="name"
        value={name}
        wrongBy={wrongField === 'name' ? alertId : undefined}
        onChange={(event) => setName(event.target.value)}
      />
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
        description={texts.passwordRule}
        type="password"
        autoComplete="new-password"
        value={password}
        wrongBy={wrongField === 'password' ? alertId : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
      <ProblemAlert id={alertId} problem={wrong} />
      <Button kind="primary" type="submit" aria-busy={signUp.isPending}>
        {texts.createAccountButton}
      </Button>
    </form>
  );
}
