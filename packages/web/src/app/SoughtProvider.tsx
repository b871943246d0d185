import { useRouter, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { soughtLine, withChangedSearch } from '../api/addresses.ts';
import { type Sought, SoughtHere } from '../ui/sought-here.ts';

/** Provides the line that the address names. Each visit is a new value, so that a link scrolls to its line again. */
export function SoughtProvider({ children }: { readonly children: ReactNode }) {
  const { history } = useRouter();
  const search = useRouterState({ select: ({ location }): object => location.search });
  const visit = useRouterState({ select: ({ location }) => location.state.__TSR_index });
  const { line, words } = soughtLine({ ...search }) ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: see `visit`
  const sought = useMemo((): Sought | null => {
    if (line === undefined || words === undefined) return null;
    const end = () =>
      history.replace(withChangedSearch(history.location.href, { line: undefined, find: undefined }));
    // Loaded on demand. Without it the file opens at its top.
    const find = (text: string) =>
      import('../text/sought-line.ts').then(
        ({ findSought }) => findSought(text, { line, words }),
        () => [],
      );
    return { line, words, find, end };
  }, [history, line, words, visit]);
  useEffect(() => {
    // While the file loads.
    if (sought !== null) void import('../reading/mark-found.ts').catch(() => undefined);
  }, [sought]);
  return <SoughtHere value={sought}>{children}</SoughtHere>;
}
