import { fileNameOf } from '@stoa/core';
import { useQuery } from '@tanstack/react-query';
import { fileAddress } from '../api/addresses.ts';
import { queryKeys } from '../api/query-keys.ts';
import { currentUser } from '../api/session.ts';
import { draftsOf, dropDraft, type PlacedDraft } from '../saving/drafts.ts';
import { account as texts } from '../text/en/account.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { askToConfirm } from '../ui/dialogs.ts';
import { downloadText } from '../ui/download-text.ts';
import { notify } from '../ui/notices.ts';
import { Time } from '../ui/Time.tsx';

/**
 * The user's drafts on this device that the server does not have. Other users cannot see them; only the user deletes
 * them.
 */
export function KeptTexts() {
  const userId = currentUser()?.id ?? '';
  const kept = useQuery({
    queryKey: queryKeys.keptTexts(userId),
    queryFn: () => draftsOf(userId),
    networkMode: 'always',
    staleTime: 0,
    retry: false,
  });
  // Undefined also if the device cannot store drafts.
  if (kept.data === undefined || kept.data.length === 0) return null;
  return (
    <section className="account-section" aria-labelledby="account-kept">
      <h2 id="account-kept">{texts.keptTexts}</h2>
      <p className="account-quiet">{texts.keptTextsText}</p>
      <ul className="account-list" aria-labelledby="account-kept">
        {kept.data.map((each) => (
          <KeptText
            key={Object.values(each.location).join('/')}
            {...each}
            onDeleted={() => void kept.refetch()}
          />
        ))}
      </ul>
    </section>
  );
}

function KeptText({ location, draft, onDeleted }: PlacedDraft & { onDeleted(): void }) {
  const { workspaceId, path } = location;
  const shown = visibleName(path);

  async function remove() {
    const goesOn = await askToConfirm({ title: texts.deleteKeptText(shown), action: texts.deleteText });
    if (!goesOn) return;
    try {
      await dropDraft(location);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      notify({ failure: true, text: ui.notPossible(texts.deleteText, message) });
    }
    onDeleted();
  }

  return (
    <li className="account-row" aria-label={shown}>
      <span className="account-row-text">
        <AppLink to={fileAddress(workspaceId, path)}>{shown}</AppLink>
        <span className="account-quiet">
          {texts.keptSince} <Time at={draft.savedAt} />
        </span>
      </span>
      <span className="account-row-buttons">
        <Button icon="download" onClick={() => downloadText(fileNameOf(path), draft.text)}>
          {texts.download}
        </Button>
        <Button onClick={() => void remove()}>{texts.deleteText}</Button>
      </span>
    </li>
  );
}
