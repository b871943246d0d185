import type { WorkspaceColor } from '@stoa/core';
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
  return (
    <span className="workspace-mark" data-color={color ?? undefined} aria-hidden="true">
      {icon !== null && isOwnImage(icon) ? <img src={icon} alt="" /> : (emojiOf(icon) ?? initialOf(name))}
    </span>
  );
}

/** An uploaded image has an address of this service; no other is ever loaded. */
function isOwnImage(icon: string): boolean {
  return URL.canParse(icon) && new URL(icon).origin === location.origin;
}

function emojiOf(icon: string | null): string | null {
  return icon !== null && /^\p{Extended_Pictographic}/u.test(icon) ? icon : null;
}

export function initialOf(name: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase() ?? '';
}
