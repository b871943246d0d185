import { useEffect, useRef } from 'react';
import { fileAddress, isFileShown } from '../api/addresses.ts';
import { type OpenDocument, openDocumentAt, openDocuments } from '../saving/open-documents.ts';
import { useStore } from '../store/store.ts';
import { useGoTo } from '../ui/AppLink.tsx';

/** The locally edited text of a file, while a save engine has it; else null. */
export function useOpenDocument(workspaceId: string, path: string): OpenDocument | null {
  return useStore({ get: () => openDocumentAt(workspaceId, path), subscribe: openDocuments.subscribe });
}

/**
 * Marks the text as shown, and follows its file when another user moves it.
 * @returns whether its path is no longer visible to the user
 */
export function useShownText(text: OpenDocument | null, mode: 'read' | 'edit'): boolean {
  const goTo = useGoTo();
  const latest = useRef({ goTo, mode });
  latest.current = { goTo, mode };
  useEffect(() => {
    if (text === null) return;
    const { workspaceId, path: before } = text;
    const leave = text.show();
    const unsubscribe = text.store.subscribe(() => {
      if (text.path === before) return;
      unsubscribe();
      const { goTo, mode } = latest.current;
      goTo(fileAddress(workspaceId, text.path, mode === 'edit' ? { mode } : {}), { replace: true });
    });
    return () => {
      unsubscribe();
      // The next page is known by then: a change of mode or a rename does not leave the text.
      setTimeout(() => {
        if (!isFileShown(workspaceId, text.path)) leave();
      });
    };
  }, [text]);
  return useStore({
    get: () => text?.store.get().hold?.kind === 'gone',
    subscribe: text?.store.subscribe ?? (() => () => undefined),
  });
}
