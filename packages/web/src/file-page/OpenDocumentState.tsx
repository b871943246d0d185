import { fileNameOf } from '@stoa/core';
import { ConflictBar } from '../conflicts/ConflictBar.tsx';
import type { OpenDocument } from '../saving/open-documents.ts';
import { RunningEngine } from '../saving/run-engine.ts';
import { SaveStatus } from '../saving/SaveStatus.tsx';
import { downloadText } from '../ui/download-text.ts';

/** The save state of a locally edited text in Read mode, and decisions it needs. */
export function OpenDocumentState({ text }: { readonly text: OpenDocument }) {
  if (!(text instanceof RunningEngine)) return null;
  return (
    <>
      <SaveStatus engine={text} />
      <ConflictBar engine={text} onDownload={() => downloadText(fileNameOf(text.path), text.text)} />
    </>
  );
}
