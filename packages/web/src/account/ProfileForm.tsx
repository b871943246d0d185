import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { currentUser, readSession } from '../api/session.ts';
import { account as texts } from '../text/en/account.ts';
import { notices } from '../text/en/notices.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { notify } from '../ui/notices.ts';
import { FormAlert } from '../ui/States.tsx';

/** The name that others see. */
export function ProfileForm() {
  const alertId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(() => currentUser()?.name ?? '');
  const [wrong, setWrong] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: () => client.auth.updateProfile({ name: name.trim() }),
    onSuccess: async (outcome) => {
      switch (outcome.kind) {
        case 'updated':
          notify({ text: notices.saved });
          await readSession();
          return queryClient.invalidateQueries();
        case 'invalid':
        case 'wrong_origin':
          return reject(outcome.message);
        case 'signed_out':
          return readSession();
      }
    },
    onError: (error) => reject(error.message),
  });

  function reject(message: string) {
    setWrong(message);
    field.current?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '') return reject(texts.enterName);
    setWrong(null);
    if (!save.isPending) save.mutate();
  }

  return (
    <form className="account-section" aria-label={texts.profile} onSubmit={submit} noValidate>
      <p className="account-quiet">{currentUser()?.email}</p>
      <Field
        ref={field}
        label={texts.name}
        value={name}
        autoComplete="name"
        wrongBy={wrong === null ? undefined : alertId}
        onChange={(event) => setName(event.target.value)}
      />
      <FormAlert id={alertId}>{wrong}</FormAlert>
      <Button type="submit" needsServer aria-busy={save.isPending}>
        {texts.save}
      </Button>
    </form>
  );
}
