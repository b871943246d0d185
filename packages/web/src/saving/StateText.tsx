import { saving as texts } from '../text/en/saving.ts';
import './save-status.css';

/** The text of the save state. */
export function StateText({
  text,
  isUrgent = false,
  isOffline = false,
}: {
  readonly text: string;
  readonly isUrgent?: boolean;
  readonly isOffline?: boolean;
}) {
  return (
    <span
      className="save-status"
      data-urgent={isUrgent ? true : undefined}
      data-offline={isOffline ? true : undefined}
      role="status"
      aria-live="off"
      aria-label={texts.saveState}
    >
      {text}
    </span>
  );
}
