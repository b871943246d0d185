import type { SessionRecord } from '@stoa/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { readSession } from '../api/session.ts';
import { account as texts } from '../text/en/account.ts';
import { ui } from '../text/en/ui.ts';
import { dayText } from '../text/times.ts';
import { Button } from '../ui/Button.tsx';
import { notify } from '../ui/notices.ts';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { browserOf } from './browser-name.ts';

/** The user's sessions, this browser first. */
export function SessionList() {
  const sessions = useQuery({ queryKey: queryKeys.sessions, queryFn: ({ signal }) => readSessions(signal) });
  return (
    <section className="account-section" aria-labelledby="account-sessions">
      <h2 id="account-sessions">{texts.sessions}</h2>
      {sessions.data === undefined ? (
        sessions.error === null ? (
          <LoadingLines rows={2} rowHeight={44} />
        ) : (
          <LoadFailure
            what={texts.theSessions}
            error={sessions.error}
            onRetry={() => void sessions.refetch()}
          />
        )
      ) : (
        <ul className="account-list" aria-labelledby="account-sessions">
          {sessions.data.map((each) => (
            <SessionItem key={each.record.id} {...each} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ListedSession {
  readonly record: SessionRecord;
  readonly isThis: boolean;
}

async function readSessions(signal: AbortSignal): Promise<readonly ListedSession[]> {
  const [own, all] = await Promise.all([
    client.auth.session({ signal }),
    client.auth.listSessions({ signal }),
  ]);
  if (all.kind === 'signed_out' || own.kind === 'signed_out') {
    await readSession();
    return [];
  }
  const listed = all.sessions.map((record) => ({ record, isThis: record.id === own.session.id }));
  return listed.sort((a, b) => Number(b.isThis) - Number(a.isThis));
}

function SessionItem({ record, isThis }: ListedSession) {
  const queries = useQueryClient();
  const name = browserName(record.userAgent);
  const revoke = useMutation({
    mutationFn: () => client.auth.revokeSession(record.token),
    onSuccess: async (outcome) => {
      if (outcome.kind === 'invalid' || outcome.kind === 'wrong_origin') return failed(outcome.message);
      if (isThis || outcome.kind === 'signed_out') return readSession();
      notify({ text: texts.sessionEnded(name) });
      await queries.invalidateQueries({ queryKey: queryKeys.sessions });
    },
    onError: (error) => failed(error.message),
  });

  function failed(message: string) {
    notify({ failure: true, text: ui.notPossible(texts.signOutBrowser(name), message) });
  }

  return (
    <li
      className="account-row"
      aria-label={texts.sessionName(name, dayText(Date.parse(record.createdAt)))}
      aria-description={isThis ? texts.thisSession : undefined}
    >
      <span className="account-row-text">
        <span>{name}</span>
        <span className="account-quiet">
          {isThis ? `${texts.thisSession} · ` : null}
          {texts.sessionSince} <Time at={record.createdAt} />
        </span>
      </span>
      <Button
        needsServer
        aria-description={isThis ? texts.thisSession : undefined}
        aria-busy={revoke.isPending}
        onClick={() => revoke.mutate()}
      >
        {texts.signOutBrowser(name)}
      </Button>
    </li>
  );
}

function browserName(userAgent: string | null): string {
  const known = browserOf(userAgent);
  if (known === null) return texts.unknownBrowser;
  return known.system === null ? known.browser : texts.browserOn(known.browser, known.system);
}
