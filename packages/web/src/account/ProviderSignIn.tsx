import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { readSession } from '../api/session.ts';
import { ownValue } from '../store/own-value.ts';
import { account as texts } from '../text/en/account.ts';
import { Button } from '../ui/Button.tsx';
import { FormAlert } from '../ui/States.tsx';
import { type AlertedProblem, ProblemAlert } from './ProblemAlert.tsx';
import { useSignUpState } from './use-sign-up-state.ts';

/** The provider's button below the sign-in and sign-up forms; nothing if no provider is configured. */
export function ProviderSignIn({ next, inviteToken }: ProviderWay) {
  const name = useSignUpState().data?.provider?.name;
  if (name === undefined) return null;
  return (
    <ProviderButton
      text={texts.signInWith(name)}
      begin={() =>
        client.auth.beginProviderSignIn({ next, ...(inviteToken === undefined ? {} : { inviteToken }) })
      }
    />
  );
}

interface ProviderWay {
  /** The path in the app to open after sign-in. */
  readonly next: string;
  readonly inviteToken?: string | undefined;
}

/** The reason why signing in by, or linking to, the provider failed. */
export function ProviderError() {
  const { refused: rejected } = useSearch({ strict: false });
  const name = useSignUpState().data?.provider?.name;
  if (rejected === undefined || name === undefined) return null;
  const said = ownValue(texts.providerErrors, rejected) ?? texts.providerErrors.failed;
  return <FormAlert>{said(name)}</FormAlert>;
}

/** Profile section: whether the user can sign in with the provider, and how to link the account. */
export function ProviderLink({ isLinked, name }: { readonly isLinked: boolean; readonly name: string }) {
  const headingId = useId();
  return (
    <section className="account-section" aria-labelledby={headingId}>
      <h2 id={headingId}>{texts.signInWith(name)}</h2>
      <ProviderError />
      {isLinked ? (
        <p>{texts.providerLinked(name)}</p>
      ) : (
        <>
          <p>{texts.providerNotLinked(name)}</p>
          <ProviderButton
            text={texts.linkTo(name)}
            begin={() => client.auth.beginProviderLink({ next: '/account' })}
          />
        </>
      )}
    </section>
  );
}

/** The user's ways to sign in, if a provider is configured. */
export function useSignInWays() {
  const name = useSignUpState().data?.provider?.name;
  const ways = useQuery({
    queryKey: queryKeys.signInWays,
    queryFn: ({ signal }) => client.auth.signInWays({ signal }),
    enabled: name !== undefined,
  });
  const { data } = ways;
  return name === undefined || data?.kind !== 'ways' ? null : { ...data, name };
}

type Begun = Awaited<ReturnType<typeof client.auth.beginProviderLink>>;

function ProviderButton({ text, begin }: { readonly text: string; readonly begin: () => Promise<Begun> }) {
  const alertId = useId();
  const [wrong, setWrong] = useState<AlertedProblem | null>(null);
  const go = useMutation({
    mutationFn: begin,
    onMutate: () => setWrong(null),
    onSuccess: (outcome) => {
      switch (outcome.kind) {
        case 'begun':
          return location.assign(outcome.url);
        case 'too_many_attempts':
          return setWrong({ kind: 'wait', untilMs: performance.now() + outcome.retryAfterSeconds * 1000 });
        case 'signed_out':
          return void readSession();
        case 'invalid':
        case 'unreachable':
        case 'wrong_origin':
          return setWrong({ kind: 'text', text: outcome.message });
      }
    },
    onError: (error) => setWrong({ kind: 'text', text: error.message }),
  });
  return (
    <div className="account-provider">
      <ProblemAlert id={alertId} problem={wrong} />
      <Button
        needsServer
        aria-busy={go.isPending}
        aria-describedby={wrong === null ? undefined : alertId}
        onClick={() => {
          if (!go.isPending) go.mutate();
        }}
      >
        {text}
      </Button>
    </div>
  );
}
