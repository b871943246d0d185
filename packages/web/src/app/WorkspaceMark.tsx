import type { WorkspaceColor } from '@stoa/core';
import { GivenIcon } from '../ui/GivenIcon.tsx';
import { isOwnImage } from '../ui/own-image.ts';
import '../ui/workspace-colors.css';

/** A workspace's icon: its image, its emoji, or its initial on its colour. The name is always next to it. */
export function WorkspaceMark({
  name,
  icon,
  color,
}: {
  readonly name: string;
  readonly icon: string | null;
  readonly color: WorkspaceColor | null;
}) {
  const given = icon !== null && icon !== '' ? icon : null;
  return (
    <span
      className="workspace-mark"
      data-color={color ?? undefined}
      // Shown by CSS: as text it would be part of the button's name.
      data-initial={given === null ? initialOf(name) : undefined}
      aria-hidden="true"
    >
      {given === null ? null : isOwnImage(given) ? (
        <img src={given} alt="" />
      ) : (
        <GivenIcon icon={given} plain="folder" size={14} />
      )}
    </span>
  );
}

export function initialOf(name: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase() ?? '';
}
