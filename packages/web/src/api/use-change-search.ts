import { useRouter } from '@tanstack/react-router';
import { type AddressSearch, withChangedSearch } from './addresses.ts';

/**
 * Returns a function that changes search parameters of the current address and replaces the history entry: Back moves
 * between pages.
 */
export function useChangeSearch(): (changes: AddressSearch) => void {
  const { history } = useRouter();
  return (changes) => {
    const { href } = history.location;
    const next = withChangedSearch(href, changes);
    if (next !== href) history.replace(next);
  };
}
