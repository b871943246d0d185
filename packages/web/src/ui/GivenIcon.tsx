import { lazy, Suspense } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import './given-icon.css';

const NamedIconDrawing = lazy(async () => ({
  default: (await import('./named-icons.tsx')).NamedIconDrawing,
}));

const nameOnly = /^(?:lucide:)?([a-z0-9-]+)$/;

/** The icon that a user gave to a file or folder: an emoji or a named icon; otherwise the plain one. */
export function GivenIcon({
  icon,
  plain,
  size = 16,
}: {
  readonly icon: string | undefined;
  readonly plain: IconName;
  readonly size?: number;
}) {
  if (icon === undefined) return <Icon name={plain} size={size} />;
  const [, name] = nameOnly.exec(icon) ?? [];
  if (name === undefined) {
    return (
      <span className="ui-given-icon" aria-hidden="true">
        {icon}
      </span>
    );
  }
  const fallback = <Icon name={plain} size={size} />;
  return (
    <Suspense fallback={fallback}>
      <NamedIconDrawing name={name} size={size} fallback={fallback} />
    </Suspense>
  );
}
