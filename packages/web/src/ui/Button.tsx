import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { serverResponds, useStore } from '../store/store.ts';
import { ui } from '../text/en/ui.ts';
import './button.css';
import { Icon, type IconName } from './Icon.tsx';
import { sayWhyNot } from './notices.ts';

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'disabled' | 'children'> {
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly icon?: IconName;
  readonly children?: ReactNode;
  /** Disabled while the server does not respond. */
  readonly needsServer?: boolean;
  /** Why it is disabled. The button keeps its name, stays focusable and shows the reason. */
  readonly disabledBecause?: string | null | undefined;
}

export function Button({
  kind = 'secondary',
  icon,
  children,
  needsServer = false,
  disabledBecause: because = null,
  className,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const responses = useStore(serverResponds);
  const disabledBecause = because ?? (needsServer && !responses ? ui.notWhileOffline : null);
  const disabled = disabledBecause !== null;
  return (
    <button
      {...rest}
      type={type}
      className={['ui-button', `ui-button-${kind}`, className].filter(Boolean).join(' ')}
      data-icon-only={children === undefined ? true : undefined}
      {...(disabled
        ? { 'aria-disabled': true, 'aria-description': disabledBecause, title: disabledBecause }
        : {})}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        if (disabledBecause === null) return onClick?.(event);
        event.preventDefault();
        sayWhyNot(disabledBecause);
      }}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button with only an icon. Its name is for screen readers and the tooltip. */
export function IconButton({
  name,
  ...rest
}: Omit<ButtonProps, 'children'> & { readonly name: string; readonly icon: IconName }) {
  return <Button kind="quiet" title={name} {...rest} aria-label={name} />;
}
