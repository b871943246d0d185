import { useLocation } from '@tanstack/react-router';
import { type FormEvent, useId, useRef, useState } from 'react';
import { signInAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { account as texts } from '../text/en/account.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { type FormProblem, problem, unfitPassword, waitProblem, wrongOriginProblem } from './credentials.ts';
import { ProblemAlert } from './ProblemAlert.tsx';
import { useSignUpState } from './use-sign-up-state.ts';

/** The page of a password reset link. The token is in the fragment, which browsers do not send to servers. */
export function ResetPage() {
  const token = useLocation().hash;
  const [isDone, setDone] = useState(false);
  return (
    <PlainPage>
      <PageHeading title={texts.chooseNewPassword} />
      {isDone ? (
        <p role="status">
          {texts.newPasswordSet} <AppLink to={signInAddress('/')}>{texts.signIn}</AppLink>
        </p>
      ) : token === '' ? (
        <p role="alert">{texts.resetLinkIncomplete}</p>
      ) : (
        <ResetForm token={token} onDone={() => setDone(true)} />
      )}
    </PlainPage>
  );
}

function ResetForm({ token, onDone }: { readonly token: string; onDone(): void }) {
  const alertId = useId();
  const { data: server } = useSignUpState();
  const input = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<FormProblem | null>(null);
  const [busy, setBusy] = useState(false);

  function reject(what: FormProblem) {
    setWrong(what);
    if (what.kind === 'text') input.current?.focus();
  }

  async function send(): Promise<FormProblem | null> {
    const outcome = await client.auth.resetPassword({ token, password });
    switch (outcome.kind) {
      case 'reset':
        onDone();
        return null;
      case 'too_many_attempts':
        return waitProblem(outcome.retryAfterSeconds);
      case 'wrong_origin':
        return wrongOriginProblem(server?.appUrl, outcome.message);
      case 'link_gone':
      case 'invalid':
        return problem('password', outcome.message);
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const unfit = unfitPassword(password);
    if (unfit !== null) return reject(unfit);
    if (busy) return;
    setWrong(null);
    setBusy(true);
    const rejected = await send().catch((error: Error) => problem('password', error.message));
    setBusy(false);
    if (rejected !== null) reject(rejected);
  }

  return (
    <form className="account-form" aria-label={texts.chooseNewPassword} onSubmit={submit} noValidate>
      <Field
        ref={input}
        label={texts.newPassword}
        description={texts.passwordRule}
        type="password"
        autoComplete="new-password"
        value={password}
        wrongBy={wrong?.kind === 'text' ? alertId : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
      <ProblemAlert id={alertId} problem={wrong} />
      <Button kind="primary" type="submit" needsServer aria-busy={busy}>
        {texts.setPassword}
      </Button>
    </form>
  );
}
