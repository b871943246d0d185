import { fileContentAddress } from '../api/addresses.ts';
import { reading } from '../text/en/reading.ts';
import { EmptyState } from '../ui/States.tsx';
import './file-views.css';

/** A file that can only be downloaded. */
export function NoView({
  workspaceId,
  path,
  name,
  text = reading.noView,
  address = fileContentAddress(workspaceId, path),
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly name: string;
  readonly text?: string;
  /** Of the bytes, where they are not the current ones. */
  readonly address?: string;
}) {
  return (
    <EmptyState icon="file-warning" text={text}>
      <a className="ui-button" href={address} download={name}>
        {reading.download}
      </a>
    </EmptyState>
  );
}
