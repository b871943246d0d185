import { sizeText } from '@stoa/core';
import type { Pace } from './host.ts';
import type { Output } from './output.ts';
import { shownText } from './shown-text.ts';

/** Remaining transfers. `bytes` is null if unknown. */
export interface Ahead {
  readonly up: number;
  readonly down: number;
  readonly bytes: number | null;
}

/** Progress of long work, shown to a waiting user. */
export interface Progress {
  /** Replaces the remaining transfers by those of a new plan. */
  expect(ahead: Ahead): void;
  /** Counts transferred bytes of a file. Negative if a transfer starts over. */
  moved(path: string, bytes: number): void;
  done(direction: 'up' | 'down', path: string): void;
  /** Removes the display. */
  end(): void;
}

const redrawMs = 100;
const lineMs = 5000;
const barCells = 20;

/** Waits 100 ms before it shows a bar, because short work needs none. */
export function startProgress(output: Output, pace: Pace, beginning: string): Progress {
  const ended = new AbortController();
  const counts = { up: 0, down: 0, bytes: 0 };
  let total: Ahead | null = null;
  let path = '';
  let isChanged = true;

  const draw = (): void => {
    if (!isChanged) return;
    isChanged = false;
    const state = { ...counts, total, path, beginning };
    if (output.progress === 'bar') output.showBar(barText(state, output.barColumns()));
    else output.note(plainText(state));
  };
  const everyMs = output.progress === 'bar' ? redrawMs : lineMs;
  const run = async (): Promise<void> => {
    for (;;) {
      await pace.sleep(everyMs, ended.signal);
      if (ended.signal.aborted) return;
      draw();
    }
  };
  if (output.progress !== 'none') void run();
  const end = () => {
    ended.abort();
    if (output.progress === 'bar') output.showBar(null);
  };

  return {
    expect({ up, down, bytes }) {
      const allBytes = bytes === null ? null : counts.bytes + bytes;
      total = { up: counts.up + up, down: counts.down + down, bytes: allBytes };
      isChanged = true;
    },
    moved(of, bytes) {
      counts.bytes += bytes;
      path = of;
      isChanged = true;
    },
    done(direction, of) {
      counts[direction] += 1;
      path = of;
      isChanged = true;
    },
    end,
  };
}

/** State of the work. Without a total, the remaining work is still unknown. */
export interface WorkState {
  readonly up: number;
  readonly down: number;
  readonly bytes: number;
  readonly total: Ahead | null;
  readonly path: string;
  readonly beginning: string;
}

const shownSize = (bytes: number): string => sizeText(bytes, { isFixed: true });

/** `████░░░░  42 %  ↑ 12/340 ↓ 3/80  plan.md`, within the columns. */
export function barText(state: WorkState, columns: number): string {
  const { total, beginning, path } = state;
  if (total === null) return fitted(beginning, columns);
  const share = shareOf(state);
  const bar = share === null ? [shownSize(state.bytes)] : [cells(share), `${Math.floor(share * 100)} %`];
  return fitted([...bar, countsText(state, total), shownText(path)].filter(Boolean).join('  '), columns);
}

/** `Sent 12 of 340, received 3 of 80 files, 12 MB of 34 MB: plan.md`. */
export function plainText({ up, down, bytes, total, path, beginning }: WorkState): string {
  if (total === null) return beginning;
  const parts = [
    ...(total.up > 0 ? [`sent ${up} of ${total.up}`] : []),
    ...(total.down > 0 ? [`received ${down} of ${total.down}`] : []),
    total.bytes === null
      ? shownSize(bytes)
      : `${shownSize(Math.min(bytes, total.bytes))} of ${shownSize(total.bytes)}`,
  ].join(', ');
  return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}${path === '' ? '' : `: ${shownText(path)}`}`;
}

/** Share by bytes or, without bytes, by files. */
function shareOf({ up, down, bytes, total }: WorkState): number | null {
  if (total === null || total.bytes === null) return null;
  if (total.bytes > 0) return Math.max(0, Math.min(1, bytes / total.bytes));
  const files = total.up + total.down;
  return files === 0 ? 1 : Math.min(1, (up + down) / files);
}

function cells(share: number): string {
  const full = Math.floor(share * barCells);
  return '█'.repeat(full) + '░'.repeat(barCells - full);
}

function countsText({ up, down }: WorkState, total: Ahead): string {
  return [
    ...(total.up > 0 ? [`↑ ${up}/${total.up}`] : []),
    ...(total.down > 0 ? [`↓ ${down}/${total.down}`] : []),
  ].join(' ');
}

/** Shortens a bar to its line, or redrawing would leave remains of it. Wide characters take two columns. */
function fitted(text: string, columns: number): string {
  let width = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += isWide(segment) ? 2 : 1;
    if (width > columns - 1) return `${kept}…`;
    kept += segment;
  }
  return kept;
}

/**
 * Wide characters begin at the Korean letters. The range of the bar's block characters and nearby punctuation is
 * narrow.
 */
function isWide(segment: string): boolean {
  const point = segment.codePointAt(0) ?? 0;
  return point >= 0x1100 && !(point >= 0x1e00 && point < 0x2e80);
}
