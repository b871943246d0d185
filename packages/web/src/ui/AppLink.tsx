import { useRouter } from '@tanstack/react-router';
import type { ComponentPropsWithRef, MouseEvent } from 'react';

export interface AppLinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  /** An address of this app, as `api/addresses.ts` makes them: encoded already, and used as it is. */
  readonly to: string;
  /** Takes the place of this entry in the browser's history: for panels and modes. */
  readonly replace?: boolean;
}

/** A link inside the app. A new tab, a new window and a download work as with every link. */
export function AppLink({ to, replace = false, onClick, ...rest }: AppLinkProps) {
  const { history } = useRouter();
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event);
        if (!isPlain(event)) return;
        event.preventDefault();
        if (replace) history.replace(to);
        else history.push(to);
      }}
    />
  );
}

/** Goes to an address of this app. */
export function useGoTo(): (address: string, how?: { readonly replace?: boolean }) => void {
  const { history } = useRouter();
  return (address, { replace = false } = {}) => (replace ? history.replace(address) : history.push(address));
}

function isPlain(event: MouseEvent): boolean {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
  return !event.defaultPrevented && button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
