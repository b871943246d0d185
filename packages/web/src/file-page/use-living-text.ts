import { useEffect, useRef } from 'react';
import { fileAddress, isFileShown } from '../api/addresses.ts';
import { type LivingText, livingTextAt, livingTexts } from '../saving/living-texts.ts';
import { useStore } from '../store/store.ts';
import { useGoTo } from '../ui/AppLink.tsx';

/** The text of a file as it is typed here, while a save engine keeps it; null when nobody edits it. */
export function useLivingText(workspaceId: string, path: string): LivingText | null {
  return useStore({ get: () => livingTextAt(workspaceId, path), subscribe: livingTexts.subscribe });
}

/**
 * Says that the page of a text is shown, and goes where its file goes when somebody else moves it.
 * @returns whether its path is no longer visible to this person
 */
export function useShownText(text: LivingText | null, mode: 'read' | 'edit'): boolean {
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
      // By then the next page is known: a change of mode, or of the file's name, is no leaving.
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
