import { useRouter } from '@tanstack/react-router';
import type { ComponentPropsWithRef, MouseEvent } from 'react';

export interface AppLinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  /** An address of this app from `api/addresses.ts`: already encoded, and used unchanged. */
  readonly to: string;
  /** Replaces the current history entry: for panels and modes. */
  readonly replace?: boolean;
}

/** A link inside the app. Opening in a new tab or window and downloading work as usual. */
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

/** Returns a function that opens an address of this app. */
export function useGoTo(): (address: string, how?: { readonly replace?: boolean }) => void {
  const { history } = useRouter();
  return (address, { replace = false } = {}) => (replace ? history.replace(address) : history.push(address));
}

function isPlain(event: MouseEvent): boolean {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
  return !event.defaultPrevented && button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
