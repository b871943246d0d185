import { fileNameOf } from '@stoa/core';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.ts';
import { currentUser } from '../api/session.ts';
import { useStore } from '../store/store.ts';
import { saving as texts } from '../text/en/saving.ts';
import { Button } from '../ui/Button.tsx';
import { downloadText } from '../ui/download-text.ts';
import { draftsOf } from './drafts.ts';
import { openDocuments } from './open-documents.ts';

/**
 * Lets users who lost access download what they typed: text on this page, and drafts that this device keeps. Renders
 * nothing without any.
 */
export function KeptTextDownload({
  workspaceId,
  path,
}: {
  readonly workspaceId: string;
  /** Null for the whole workspace. */
  readonly path: string | null;
}) {
  const isMeant = (text: { readonly workspaceId: string; readonly path: string }): boolean =>
    text.workspaceId === workspaceId && (path === null || text.path === path);
  const open = useStore(openDocuments).filter((text) => text.isDirty && isMeant(text));
  const userId = currentUser()?.id ?? '';
  const drafts = useQuery({
    // Text from a closed editor is a draft now.
    queryKey: [...queryKeys.keptTexts(userId), open.length],
    queryFn: () => draftsOf(userId),
    networkMode: 'always',
    staleTime: 0,
    retry: false,
  });
  const kept = (drafts.data ?? []).filter(({ location }) => isMeant(location));
  if (open.length === 0 && kept.length === 0) return null;
  const download = () => {
    if (open.length > 0) for (const { path, text } of open) downloadText(fileNameOf(path), text);
    else for (const { location, draft } of kept) downloadText(fileNameOf(location.path), draft.text);
  };
  return <Button onClick={download}>{texts.downloadMyText}</Button>;
}
