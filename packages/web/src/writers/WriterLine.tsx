import type { ActorRecord, Who } from '../api/people.ts';
import { writers as texts } from '../text/en/writers.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Icon, whoIcon } from '../ui/Icon.tsx';
import { Time } from '../ui/Time.tsx';
import { newestWriter, type Writer, type WriterRange } from './line-writers.ts';
import './writers.css';

type VersionRecord = Extract<Writer, { kind: 'version' }>['record'];

/** Lookups that are needed to name line authors. */
export interface WriterNames {
  who(actor: ActorRecord): Who;
  /** The address of the version; null if it is not listed. */
  addressOf(record: VersionRecord): string | null;
}

/** The author of some lines: the user or agent, the version and the time. */
export function WriterLine({ writer, names }: { readonly writer: Writer; readonly names: WriterNames }) {
  if (writer.kind !== 'version') {
    return (
      <span className="writers-line">
        <Icon name="edit" size={12} /> {unsavedText(writer)}
      </span>
    );
  }
  const { record } = writer;
  const { name, kind } = names.who(record);
  const address = names.addressOf(record);
  const version =
    record.movedFrom === undefined
      ? texts.version(record.version)
      : texts.versionOf(record.version, visibleName(record.movedFrom));
  return (
    <span className="writers-line">
      <Icon name={whoIcon(kind)} size={12} /> <bdi className="writers-name">{visibleName(name)}</bdi>{' '}
      <span className="writers-facts">
        {address === null ? version : <AppLink to={address}>{version}</AppLink>}{' '}
        <Time at={record.createdAt} />
        {record.orEarlier === true ? ` ${texts.orEarlier}` : null}
      </span>
    </span>
  );
}

/** The authors of one block's lines: the only one, or the newest, and all of them when expanded. */
export function WritersNote({
  ranges,
  names,
}: {
  readonly ranges: readonly WriterRange[];
  readonly names: WriterNames;
}) {
  const [first] = ranges;
  const last = ranges.at(-1);
  if (first === undefined || last === undefined) return null;
  return (
    <div role="note" className="writers-note" aria-label={texts.lines(first.from, last.to)} data-extra>
      {ranges.length === 1 ? (
        <WriterLine writer={first.writer} names={names} />
      ) : (
        <details>
          <summary>{summaryOf(ranges, names)}</summary>
          <WriterList ranges={ranges} names={names} />
        </details>
      )}
    </div>
  );
}

/** Limit of ranges in one list. */
const listedMax = 200;

/** Ranges of lines with their authors, one below the other. */
export function WriterList({
  ranges,
  names,
}: {
  readonly ranges: readonly WriterRange[];
  readonly names: WriterNames;
}) {
  const rest = ranges.length - listedMax;
  return (
    <>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of lists without markers */}
      <ol role="list" className="writers-list" aria-label={texts.title}>
        {ranges.slice(0, listedMax).map(({ from, to, writer }) => (
          <li key={from}>
            <span className="writers-lines">{texts.lines(from, to)}</span>{' '}
            <WriterLine writer={writer} names={names} />
          </li>
        ))}
      </ol>
      {rest > 0 ? <p className="writers-rest">{texts.more(rest)}</p> : null}
    </>
  );
}

function summaryOf(ranges: readonly WriterRange[], names: WriterNames): string {
  const nameOf = (writer: Writer): string => {
    return writer.kind === 'version' ? visibleName(names.who(writer.record).name) : unsavedText(writer);
  };
  const newest = newestWriter(ranges);
  const name = newest === null ? '' : nameOf(newest);
  const others = new Set(ranges.map(({ writer }) => nameOf(writer))).size - 1;
  return others === 0 ? texts.changes(name, ranges.length) : texts.andOthers(name, others);
}

function unsavedText(writer: Exclude<Writer, { kind: 'version' }>): string {
  return writer.kind === 'unsaved' ? texts.unsaved : texts.arrived;
}
