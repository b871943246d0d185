import { sizeText } from '@stoa/core';
import { fileContentAddress } from '../api/addresses.ts';
import { reading } from '../text/en/reading.ts';
import { visibleName } from '../text/visible-name.ts';
import { EmptyState } from '../ui/States.tsx';
import './file-views.css';

/** A file without a view, only a download. */
export function NoView({
  workspaceId,
  path,
  name,
  sizeBytes,
  text = reading.noView,
  address = fileContentAddress(workspaceId, path),
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly text?: string;
  /** Address of the bytes, if not of the current version. */
  readonly address?: string | undefined;
}) {
  return (
    <EmptyState
      icon="file-warning"
      text={text}
      detail={
        <>
          <bdi>{visibleName(name)}</bdi>, {sizeText(sizeBytes)}
        </>
      }
    >
      <a className="ui-button" href={address} download={name}>
        {reading.download}
      </a>
    </EmptyState>
  );
}
