import { type ChangeSpec, EditorSelection, type StateCommand } from '@codemirror/state';
import { lineEndAt } from './line-ends.ts';

export type Formatting =
  | 'bold'
  | 'italic'
  | 'strikethrough'
  | 'code'
  | 'link'
  | 'heading'
  | 'list'
  | 'taskList'
  | 'quote';

const around: Readonly<Partial<Record<Formatting, string>>> = {
  bold: '**',
  italic: '*',
  strikethrough: '~~',
  code: '`',
};

/** Adds marks around the selection, or removes existing ones. */
function wrap(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const spec = state.changeByRange(({ from, to }) => {
      const { doc } = state;
      const before = doc.sliceString(from - mark.length, from);
      const after = doc.sliceString(to, to + mark.length);
      if (before === mark && after === mark) {
        return {
          changes: [
            { from: from - mark.length, to: from },
            { from: to, to: to + mark.length },
          ],
          range: EditorSelection.range(from - mark.length, to - mark.length),
        };
      }
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(from + mark.length, to + mark.length),
      };
    });
    dispatch(state.update(spec, { userEvent: 'input.format', scrollIntoView: true }));
    return true;
  };
}

const anyMark = /^(\s*)(?:#{1,6} +|> ?|(?:[-*+]|\d+[.)]) +(?:\[[ xX]\] +)?)/;

/** Adds the mark to every selected line, or removes it if all lines have it. */
function markLines(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const { doc } = state;
    const changes: ChangeSpec[] = [];
    const lines = new Set<number>();
    for (const { from, to } of state.selection.ranges)
      for (let n = doc.lineAt(from).number; n <= doc.lineAt(to).number; n += 1) lines.add(n);
    const all = [...lines].map((n) => doc.line(n));
    const isOff = all.every(({ text }) => anyMark.exec(text)?.[0].trim() === mark.trim());
    for (const { from, text } of all) {
      const start = from + (/^\s*/.exec(text)?.[0].length ?? 0);
      const end = from + (anyMark.exec(text)?.[0].length ?? 0);
      changes.push({ from: start, to: Math.max(start, end), insert: isOff ? '' : mark });
    }
    const set = state.changes(changes);
    dispatch(
      state.update({
        changes: set,
        selection: state.selection.map(set, 1),
        userEvent: 'input.format',
        scrollIntoView: true,
      }),
    );
    return true;
  };
}

const link: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const spec = state.changeByRange(({ from, to }) => {
    const text = state.doc.sliceString(from, to);
    const isAddress = /^https?:\/\/\S+$/.test(text);
    const insert = isAddress ? `[](${text})` : `[${text}]()`;
    // The caret goes to the part that is still empty.
    const at = from + (isAddress ? 1 : insert.length - 1);
    return { changes: { from, to, insert }, range: EditorSelection.cursor(at) };
  });
  dispatch(state.update(spec, { userEvent: 'input.format', scrollIntoView: true }));
  return true;
};

/** One level deeper each time; removed after level three. */
const heading: StateCommand = (target) => {
  const { state } = target;
  const marks = /^(#{1,6}) /.exec(state.doc.lineAt(state.selection.main.head).text)?.[1] ?? '';
  return markLines(marks.length >= 3 ? '### ' : `${marks}# `)(target);
};

export function formatting(kind: Formatting): StateCommand {
  const mark = around[kind];
  if (mark !== undefined) return wrap(mark);
  switch (kind) {
    case 'link':
      return link;
    case 'heading':
      return heading;
    case 'list':
      return markLines('- ');
    case 'taskList':
      return markLines('- [ ] ');
    default:
      return markLines('> ');
  }
}

const listItem = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))( +)(\[[ xX]\] +)?/;
const quoted = /^\s*(?:> ?)+/;

/** Enter continues a list or a quote; in an empty item it ends it and starts a paragraph. */
export const continueMark: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection;
  if (state.readOnly || ranges.length > 1 || !main.empty) return false;
  const line = state.doc.lineAt(main.head);
  const text = line.text.replace(/\r$/, '');
  const item = listItem.exec(text);
  const quote = item === null ? quoted.exec(text) : null;
  const mark = item?.[0] ?? quote?.[0];
  if (mark === undefined || main.head < line.from + mark.length) return false;
  if (text.length === mark.length) {
    const before = line.number === 1 ? '' : state.doc.line(line.number - 1).text.trim();
    // Directly below the last item, Markdown continues that item whatever the indent: insert an empty line.
    const insert = before === '' ? '' : lineEndAt(state.doc, main.head);
    dispatch(
      state.update({
        changes: { from: line.from, to: line.from + mark.length, insert },
        selection: EditorSelection.cursor(line.from + insert.length),
        userEvent: 'delete.mark',
        scrollIntoView: true,
      }),
    );
    return true;
  }
  const insert = lineEndAt(state.doc, main.head) + nextMark(item, mark);
  dispatch(
    state.update({
      changes: { from: main.head, insert },
      selection: EditorSelection.cursor(main.head + insert.length),
      userEvent: 'input.mark',
      scrollIntoView: true,
    }),
  );
  return true;
};

function nextMark(item: RegExpExecArray | null, mark: string): string {
  if (item === null) return mark;
  const [, indent = '', bullet, number, stop = '', gap = ' ', task] = item;
  const next = bullet ?? `${Number(number) + 1}${stop}`;
  return `${indent}${next}${gap}${task === undefined ? '' : '[ ] '}`;
}
