import { useEffect, useState } from 'react';
import { reading } from '../text/en/reading.ts';

/** The box of a task. Ticking it is an edit of the file: shown at once, and taken back where the edit was not made. */
export function TaskBox({
  label,
  isDone,
  onTick,
}: {
  readonly label: string;
  readonly isDone: boolean;
  /** Null where the text cannot be edited here. */
  readonly onTick: ((done: boolean) => Promise<void>) | null;
}) {
  const [shown, setShown] = useState(isDone);
  useEffect(() => setShown(isDone), [isDone]);
  return (
    <input
      type="checkbox"
      checked={shown}
      aria-label={label}
      {...(onTick === null
        ? { 'aria-disabled': true, 'aria-description': reading.taskNotHere, title: reading.taskNotHere }
        : {})}
      onChange={({ target: { checked } }) => {
        if (onTick === null) return;
        setShown(checked);
        onTick(checked).catch(() => setShown(isDone));
      }}
    />
  );
}
