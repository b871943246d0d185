import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { serverAnswers, useStore } from '../store/store.ts';
import { ui } from '../text/en/ui.ts';
import './button.css';
import { Icon, type IconName } from './Icon.tsx';

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'disabled' | 'children'> {
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly icon?: IconName;
  readonly children?: ReactNode;
  /** Cannot be used while the server does not answer. */
  readonly needsServer?: boolean;
  /** Why it cannot be used now. It keeps its name and its place in the order of focus, and says why. */
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
  const answers = useStore(serverAnswers);
  const disabledBecause = because ?? (needsServer && !answers ? ui.notWhileOffline : null);
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
        if (disabled) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that shows only an icon: its name is for those who do not see it, and for the tooltip. */
export function IconButton({
  name,
  ...rest
}: Omit<ButtonProps, 'children'> & { readonly name: string; readonly icon: IconName }) {
  return <Button kind="quiet" title={name} {...rest} aria-label={name} />;
}
