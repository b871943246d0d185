import { useEffect, useRef, useState } from 'react';
import type { OpenedEditor } from '../editing/EditView.tsx';
import { createLineGutter, hideLineGutter, type LikeLines, type LineNote } from '../editing/line-gutter.ts';
import type { OpenDocument } from '../saving/open-documents.ts';
import { useStore } from '../store/store.ts';
import { writers as texts } from '../text/en/writers.ts';
import { fullTime } from '../text/times.ts';
import { visibleName } from '../text/visible-name.ts';
import { announce } from '../ui/notices.ts';
import {
  arrived,
  isSameWriter,
  lineWriters,
  shiftWriters,
  unsaved,
  type Writer,
} from '../writers/line-writers.ts';
import { savedLinesOf } from '../writers/saved-lines.ts';
import { WriterLine, type WriterNames } from '../writers/WriterLine.tsx';
import { useWriterNames, WritersSection } from './TextWriters.tsx';
import { type BlameResponse, useBlame } from './use-blame.ts';
import './editor-writers.css';

export interface EditorWritersProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly openDocument: OpenDocument;
  readonly editor: OpenedEditor;
}

/** Line authors while editing: in the gutter, and as text for the caret's line. */
export function EditorWriters({ workspaceId, path, openDocument, editor }: EditorWritersProps) {
  const blame = useBlame(workspaceId, path);
  const names = useWriterNames(workspaceId, path);
  const base = useStore({
    get: () => openDocument.store.get().base,
    subscribe: openDocument.store.subscribe,
  });
  const shown = useWritersMargin(editor, openDocument, names);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each response and each save
  useEffect(() => shown.settle(blame.data), [shown.settle, blame.data, base]);

  const { here } = shown;
  return (
    <>
      <WritersSection blame={blame} isSettled={blame.data?.version === openDocument.saved.version} />
      <div
        className="writers-here"
        {...(here === null ? {} : { role: 'note', 'aria-label': texts.lines(here.from, here.to) })}
      >
        {here === null ? null : (
          <>
            <span className="writers-lines">{texts.lines(here.from, here.to)}</span>{' '}
            <WriterLine writer={here.value} names={names} />
          </>
        )}
      </div>
    </>
  );
}

/** Delay after typing: text that was typed and deleted again keeps its author. */
const settleAfterMs = 500;

function useWritersMargin(editor: OpenedEditor, openDocument: OpenDocument, names: WriterNames) {
  const [here, setHere] = useState<LikeLines<Writer> | null>(null);
  const latest = useRef<Latest>({ openDocument, names });
  latest.current = { openDocument, names };
  const [alongside] = useState(() => new WritersMargin(editor, latest, setHere));

  useEffect(() => alongside.show(), [alongside]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names may load later than lines
  useEffect(() => alongside.draw(), [alongside, names]);
  return { here, settle: alongside.settle };
}

interface Latest {
  readonly openDocument: OpenDocument;
  readonly names: WriterNames;
}

/** The gutter of one editor. */
class WritersMargin {
  readonly #editor: OpenedEditor;
  readonly #latest: { readonly current: Latest };
  readonly #onHere: (here: LikeLines<Writer> | null) => void;
  readonly #gutter;
  #response: BlameResponse | undefined;
  #here: LikeLines<Writer> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    editor: OpenedEditor,
    latest: { readonly current: Latest },
    onHere: (here: LikeLines<Writer> | null) => void,
  ) {
    this.#editor = editor;
    this.#latest = latest;
    this.#onHere = onHere;
    this.#gutter = createLineGutter<Writer>({
      typed: unsaved,
      arrived: (who) => (who === null ? arrived : { kind: 'arrived', who }),
      isSame: isSameWriter,
      noteOf: (writer) => lineNote(writer, latest.current.names),
      changed: ({ text, caret }) => {
        this.#look(caret);
        if (!text) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.settle(this.#response), settleAfterMs);
      },
    });
  }

  show(): () => void {
    this.#gutter.show(this.#editor);
    return () => {
      clearTimeout(this.#timer);
      hideLineGutter(this.#editor);
    };
  }

  /** Redraws the gutter with the current names. */
  draw(): void {
    const values = this.#gutter.get(this.#editor.state);
    if (values !== null) this.#gutter.set(this.#editor, [...values]);
  }

  /** Shows the server's line authors, combined with lines typed since. */
  settle = (response: BlameResponse | undefined): void => {
    this.#response = response;
    const { saved, text } = this.#latest.current.openDocument;
    const before = this.#gutter.get(this.#editor.state);
    const responded =
      response === undefined || response.version !== saved.version
        ? null
        : lineWriters(response.lines, saved.text);
    if (before === null) {
      if (responded !== null)
        this.#gutter.set(this.#editor, shiftWriters(saved.text, responded, text, unsaved));
      return;
    }
    const savedLines = linesOf(saved.text);
    const locations = savedLinesOf(savedLines, linesOf(text), (line) => before[line]?.kind === 'unsaved');
    const writers = locations.map((location, line): Writer => {
      if (location === -1) return unsaved;
      if (responded !== null) return responded[location] ?? arrived;
      const transferred = before[line] ?? arrived;
      // The line has been saved since.
      return transferred.kind === 'unsaved' ? arrived : transferred;
    });
    const isAsBefore =
      writers.length === before.length &&
      writers.every((writer, line) => isSameWriter(writer, before[line] ?? arrived));
    if (!isAsBefore) this.#gutter.set(this.#editor, writers);
  };

  #look(isCaretMoved: boolean): void {
    const here = this.#gutter.here(this.#editor.state);
    const before = this.#here;
    if (here === before) return;
    if (here !== null && before !== null && isSameWriter(here.value, before.value)) {
      if (here.from === before.from && here.to === before.to) return;
    } else if (here !== null && isCaretMoved) {
      announce(lineNote(here.value, this.#latest.current.names).title);
    }
    this.#here = here;
    this.#onHere(here);
  }
}

/** Counts lines as the server does: a trailing line break starts no line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function lineNote(writer: Writer, names: WriterNames): LineNote {
  switch (writer.kind) {
    case 'unsaved':
      return {
        kind: 'unsaved',
        sign: texts.unsavedSign,
        name: texts.unsaved,
        facts: '',
        title: texts.unsaved,
      };
    case 'arrived': {
      const name = writer.who === undefined ? texts.arrived : visibleName(writer.who);
      const facts = writer.who === undefined ? '' : texts.justNow;
      return { kind: 'arrived', sign: signOf(name), name, facts, title: `${name} ${facts}`.trim() };
    }
    case 'version': {
      const { record } = writer;
      const { kind, name } = names.who(record);
      const shown = visibleName(name);
      const version =
        record.movedFrom === undefined
          ? texts.version(record.version)
          : texts.versionOf(record.version, visibleName(record.movedFrom));
      return {
        kind,
        sign: signOf(shown),
        name: shown,
        facts: texts.shortVersion(record.version),
        title: texts.inWords(shown, version, fullTime(Date.parse(record.createdAt))),
      };
    }
  }
}

function signOf(name: string): string {
  return [...name][0]?.toLocaleUpperCase() ?? '';
}
