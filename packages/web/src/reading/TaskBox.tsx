import { useEffect, useState } from 'react';

/** The box of a task. Ticking it is an edit of the file: shown at once, and taken back where the edit was not made. */
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
      checked={shown}
      aria-label={label}
      {...(typeof onTick === 'string'
        ? { 'aria-disabled': true, 'aria-description': onTick, title: onTick }
        : {})}
      onChange={({ target: { checked } }) => {
        if (typeof onTick === 'string') return;
        setShown(checked);
        onTick(checked).catch(() => setShown(isDone));
      }}
    />
  );
}
