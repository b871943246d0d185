import type { WorkspaceColor } from '@stoa/core';
import { GivenIcon } from '../ui/GivenIcon.tsx';
import { isOwnImage } from '../ui/own-image.ts';
import '../ui/workspace-colors.css';

/** A workspace's icon: its image, its emoji, else its initial on its colour. The name stands beside it. */
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
      // Drawn by the style sheet: a letter in the document would be part of what the button says.
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
