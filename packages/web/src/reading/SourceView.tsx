import { useRef } from 'react';
import { reading } from '../text/en/reading.ts';
import { useFound } from './use-found.ts';
import './file-views.css';

/** A text as plain source, to read and to copy. */
export function SourceView({
  name,
  text,
  note,
}: {
  readonly name: string;
  readonly text: string;
  /** Why it is not rendered. */
  readonly note?: string;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  useFound(field, text);
  return (
    <div className="reading-source">
      {note === undefined ? null : <p className="reading-note">{note}</p>}
      <textarea
        ref={field}
        aria-label={reading.textOf(name)}
        value={text}
        readOnly
        wrap="off"
        spellCheck={false}
        dir="auto"
        rows={Math.min(40, lineCount(text) + 1)}
      />
    </div>
  );
}

function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && lines < 40; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
