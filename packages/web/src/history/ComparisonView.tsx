import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { decodeText } from '../api/decode-text.ts';
import { history as texts } from '../text/en/history.ts';
import { IconButton } from '../ui/Button.tsx';
import { useCommands } from '../ui/commands.ts';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { type ComparedLine, type Comparison, compareLines } from './compare-lines.ts';
import { MissingVersion } from './MissingVersion.tsx';
import type { Mark } from './mark-words.ts';
import { useVersions } from './use-versions.ts';
import { findCompared } from './version-parameter.ts';
import { type VersionRow, versionRows } from './version-rows.ts';
import './history.css';

/** Two versions of a file, line by line. `parameter` is the `compare` parameter of the address. */
export function ComparisonView({
  workspaceId,
  path,
  parameter,
  onClose,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly parameter: string;
  onClose(): void;
}) {
  const versions = useVersions(workspaceId, path);
  if (versions.isPending) return <LoadingLines />;
  if (versions.isError) {
    return <LoadFailure what={texts.what} error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  const compared = findCompared(versionRows(path, versions.data), parameter);
  if (compared === null) return <MissingVersion why={texts.notThere} onBack={onClose} />;
  return <Compared workspaceId={workspaceId} path={path} {...compared} onClose={onClose} />;
}

interface ComparedProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly older: VersionRow;
  readonly newer: VersionRow;
  onClose(): void;
}

function Compared({ workspaceId, path, older, newer, onClose }: ComparedProps) {
  const comparison = useQuery({
    queryKey: ['comparison', workspaceId, path, older.id, newer.id],
    queryFn: async ({ signal }): Promise<Comparison | 'not_text' | 'too_large'> => {
      const [before, after] = await Promise.all(
        [older, newer].map((row) => readText(workspaceId, path, row, signal)),
      );
      if (typeof before === 'object' && typeof after === 'object')
        return compareLines(before.text, after.text);
      return before === 'too_large' || after === 'too_large' ? 'too_large' : 'not_text';
    },
    // Versions never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = texts.comparing(older.record.version, newer.record.version);
  return (
    <section className="comparison" aria-label={title}>
      {comparison.isPending ? (
        <LoadingLines />
      ) : comparison.isError ? (
        <LoadFailure
          what={texts.whatComparison}
          error={comparison.error}
          onRetry={() => void comparison.refetch()}
        />
      ) : (
        <Lines title={title} comparison={comparison.data} onClose={onClose} />
      )}
    </section>
  );
}

function Lines({
  title,
  comparison,
  onClose,
}: {
  readonly title: string;
  readonly comparison: Comparison | 'not_text' | 'too_large';
  onClose(): void;
}) {
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const changes = typeof comparison === 'object' ? comparison.changes : 0;
  const nowhereToGo =
    typeof comparison === 'string'
      ? texts.notCompared[comparison]
      : changes === 0
        ? texts.noDifferences
        : null;
  const go = (step: number) => setCurrent(Math.min(changes - 1, Math.max(0, current + step)));
  useEffect(() => {
    list.current?.querySelector(`[data-change="${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  useCommands([
    { id: 'comparison.next', words: texts.nextChange, keys: ['F7'], run: () => go(1) },
    { id: 'comparison.previous', words: texts.previousChange, keys: ['Shift+F7'], run: () => go(-1) },
  ]);
  return (
    <>
      <div className="comparison-head">
        <h2>{title}</h2>
        <p role="status" className="comparison-status">
          {nowhereToGo ?? texts.changeOf(current + 1, changes)}
        </p>
        <IconButton
          kind="secondary"
          icon="arrow-up"
          name={texts.previousChange}
          disabledBecause={nowhereToGo}
          onClick={() => go(-1)}
        />
        <IconButton
          kind="secondary"
          icon="arrow-down"
          name={texts.nextChange}
          disabledBecause={nowhereToGo}
          onClick={() => go(1)}
        />
        <IconButton kind="secondary" icon="close" name={texts.closeComparison} onClick={onClose} />
      </div>
      {typeof comparison === 'string' || changes === 0 ? null : (
        <div ref={list} className="comparison-lines">
          {comparison.lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are created once and never move
            <Line key={at} line={line} current={current} />
          ))}
        </div>
      )}
    </>
  );
}

function Line({ line, current }: { readonly line: ComparedLine; readonly current: number }) {
  if (line.kind === 'skipped') {
    return <div className="comparison-skip">{texts.skipped(line.count)}</div>;
  }
  // Screen readers announce the sign as well, because colour alone is not enough.
  const sign = { same: '', added: '+', removed: '−' }[line.kind];
  const said = { same: '', added: texts.added, removed: texts.removed }[line.kind];
  return (
    <div
      className="comparison-line"
      data-kind={line.kind}
      data-change={line.change ?? undefined}
      data-current={line.change === current ? true : undefined}
      data-marked={marksOf(line).length > 0 ? true : undefined}
    >
      <span className="comparison-sign">
        <span aria-hidden="true">{sign}</span>
        <span className="visually-hidden">{said}</span>
      </span>
      <span dir="auto">
        {line.text === '' ? '\u00a0' : chunksOf(line.text.replace(/\r$/, ''), marksOf(line))}
      </span>
    </div>
  );
}

const marksOf = (line: Exclude<ComparedLine, { kind: 'skipped' }>) =>
  line.kind === 'same' ? [] : (line.marks ?? []);

function chunksOf(text: string, marks: readonly Mark[]) {
  let at = 0;
  const chunks = marks.flatMap(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return [
      before,
      <span key={start} className="comparison-mark">
        {text.slice(start, end)}
      </span>,
    ];
  });
  return [...chunks, text.slice(at)];
}

async function readText(
  workspaceId: string,
  path: string,
  { record }: VersionRow,
  signal: AbortSignal,
): Promise<{ readonly text: string } | 'not_text' | 'too_large'> {
  const { version, contentHash } = record;
  const { bytes } = await client.readVersion(workspaceId, path, version, { contentHash, signal });
  const decoded = decodeText(await bytes());
  return decoded.kind === 'text' ? { text: decoded.text } : decoded.kind;
}
