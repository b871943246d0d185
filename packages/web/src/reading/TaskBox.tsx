import { useEffect, useState } from 'react';
import { sayWhyNot } from '../ui/notices.ts';

/** The checkbox of a task. Ticking it edits the file: shown at once, and reverted if the edit fails. */
export function TaskBox({
  label,
  isDone,
  onTick,
}: {
  readonly label: string;
  readonly isDone: boolean;
  /** Or why it cannot be ticked here. */
  readonly onTick: ((done: boolean) => Promise<void>) | string;
}) {
  const [shown, setShown] = useState(isDone);
  useEffect(() => setShown(isDone), [isDone]);
  return (
    <input
      type="checkbox"
      data-extra
      checked={shown}
      aria-label={label}
      {...(typeof onTick === 'string'
        ? { 'aria-disabled': true, 'aria-description': onTick, title: onTick }
        : {})}
      onChange={({ target: { checked } }) => {
        if (typeof onTick === 'string') return sayWhyNot(onTick);
        setShown(checked);
        onTick(checked).catch(() => setShown(isDone));
      }}
    />
  );
}
