import { isPasswordLength } from '@stoa/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { readSession } from '../api/session.ts';
import { account as texts } from '../text/en/account.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Choice.tsx';
import { Field } from '../ui/Field.tsx';
import { notify } from '../ui/notices.ts';
import { ProblemAlert } from './ProblemAlert.tsx';

type Wrong =
  | { readonly kind: 'text'; readonly text: string; readonly field: 'current' | 'next' }
  | { readonly kind: 'wait'; readonly untilMs: number };

export function PasswordForm() {
  const alertId = useId();
  const queries = useQueryClient();
  const fields = { current: useRef<HTMLInputElement>(null), next: useRef<HTMLInputElement>(null) };
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [elsewhere, setElsewhere] = useState(true);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const change = useMutation({
    mutationFn: () =>
      client.auth.changePassword({
        currentPassword: current,
        newPassword: next,
        revokeOtherSessions: elsewhere,
      }),
    onSuccess: (outcome) => {
      switch (outcome.kind) {
        case 'changed':
          setCurrent('');
          setNext('');
          notify({ text: texts.passwordChanged });
          return queries.invalidateQueries({ queryKey: queryKeys.sessions });
        case 'wrong_password':
          return reject('current', texts.wrongCurrentPassword);
        case 'too_many_attempts':
          return setWrong({ kind: 'wait', untilMs: performance.now() + outcome.retryAfterSeconds * 1000 });
        case 'invalid':
          return reject('next', outcome.message);
        case 'wrong_origin':
          return reject('current', outcome.message);
        case 'signed_out':
          return readSession();
      }
    },
    onError: (error) => reject('current', error.message),
  });

  function reject(field: 'current' | 'next', text: string) {
    setWrong({ kind: 'text', field, text });
    fields[field].current?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (current === '') return reject('current', texts.enterPassword);
    if (!isPasswordLength(next)) return reject('next', texts.passwordLength);
    setWrong(null);
    if (!change.isPending) change.mutate();
  }

  const wrongField = wrong?.kind === 'text' ? wrong.field : null;
  return (
    <form className="account-section" aria-labelledby={`${alertId}-heading`} onSubmit={submit} noValidate>
      <h2 id={`${alertId}-heading`}>{texts.passwordForm}</h2>
      <Field
        ref={fields.current}
        label={texts.currentPassword}
        type="password"
        autoComplete="current-password"
        value={current}
        wrongBy={wrongField === 'current' ? alertId : undefined}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <Field
        ref={fields.next}
        label={texts.newPassword}
        description={texts.passwordRule}
        type="password"
        autoComplete="new-password"
        value={next}
        wrongBy={wrongField === 'next' ? alertId : undefined}
        onChange={(event) => setNext(event.target.value)}
      />
      <Checkbox label={texts.signOutElsewhere} checked={elsewhere} onChange={setElsewhere} />
      <ProblemAlert id={alertId} problem={wrong} />
      <Button type="submit" needsServer aria-busy={change.isPending}>
        {texts.changePassword}
      </Button>
    </form>
  );
}
