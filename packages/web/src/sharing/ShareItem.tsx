import type { ShareRecord } from '@stoa/contract';
import { useEffect, useState } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { sharing as texts } from '../text/en/sharing.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Switch } from '../ui/Choice.tsx';
import { copyText } from '../ui/copy-text.ts';
import { askToConfirm } from '../ui/dialogs.ts';
import { Field } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { notify } from '../ui/notices.ts';
import { attempt } from '../ui/use-task.ts';
import '../ui/page.css';
import './sharing.css';

/** A share link, with its address and a way to revoke it. */
export function ShareItem({
  workspaceId,
  share,
  isHtml,
  showPath,
}: {
  readonly workspaceId: string;
  readonly share: ShareRecord;
  readonly isHtml: boolean;
  readonly showPath: boolean;
}) {
  const isPublic = share.access === 'public';
  const kind = isPublic ? texts.publicLink : texts.memberLink;
  const address = addressOf(share);
  // Shown at once, and reverted if the server rejects it.
  const [allowScripts, showScripts] = useState(share.allowScripts);
  useEffect(() => showScripts(share.allowScripts), [share.allowScripts]);
  const setScripts = (allowed: boolean) => {
    showScripts(allowed);
    attempt(
      (why) => ui.notPossible(texts.scripts, why),
      async () => {
        try {
          await client.updateShare(workspaceId, share.id, { allowScripts: allowed });
        } catch (error) {
          showScripts(share.allowScripts);
          throw error;
        }
        await queryClient.invalidateQueries({ queryKey: queryKeys.shares(workspaceId) });
      },
    );
  };
  return (
    <li className="share-item" aria-label={kind}>
      <div className="share-item-head">
        <span className="share-item-kind">
          <Icon name={isPublic ? 'link' : 'person'} />
          {kind}
        </span>
        <ShareFacts share={share} />
      </div>
      {showPath ? (
        <p className="share-item-path" dir="auto">
          {visibleName(share.path)}
        </p>
      ) : null}
      {address === null ? <p className="page-intro">{texts.noAddress}</p> : null}
      <div className="share-item-address">
        {address === null ? null : (
          <>
            <Field
              label={texts.address}
              value={address}
              readOnly
              spellCheck={false}
              onFocus={(event) => event.target.select()}
            />
            <Button icon="copy" onClick={() => copyText(address, texts.copied)}>
              {texts.copy}
            </Button>
          </>
        )}
        <Button needsServer onClick={() => revokeShare(workspaceId, share)}>
          {texts.revoke}
        </Button>
      </div>
      {isHtml || share.allowScripts ? (
        <Switch label={texts.scripts} checked={allowScripts} needsServer onChange={setScripts} />
      ) : null}
    </li>
  );
}

/** Properties of a link in words. */
export function ShareFacts({ share }: { readonly share: ShareRecord }) {
  const facts = [
    share.hasPassword ? texts.hasPassword : null,
    share.pinnedVersion === null ? null : texts.versionFact(share.pinnedVersion),
    share.allowScripts ? texts.scriptsFact : null,
    texts.views(share.viewCount),
  ];
  return (
    <span className="page-fact-list">
      {facts
        .filter((fact) => fact !== null)
        .map((fact) => (
          <span key={fact} className="page-fact">
            {fact}
          </span>
        ))}
    </span>
  );
}

/** Null if the server lost the secret from which it derives addresses. */
export function addressOf(share: ShareRecord): string | null {
  return share.access === 'public' ? share.url : share.memberUrl;
}

export function revokeShare(workspaceId: string, share: ShareRecord): void {
  attempt(
    (why) => ui.notPossible(texts.revoke, why),
    async () => {
      const question = { title: texts.revokeQuestion, text: texts.revokeText, action: texts.revoke };
      if (!(await askToConfirm(question))) return;
      await client.revokeShare(workspaceId, share.id);
      await queryClient.invalidateQueries({ queryKey: queryKeys.shares(workspaceId) });
      notify({ text: texts.revoked });
    },
  );
}
