// docs/decisions/0026-content-index.md
import { type ContentHash, indexedText } from '@stoa/core';
import { beforeEverything, type Candidates, type IndexLocation } from '../../service/ports/content-index.ts';
import type { Connection } from '../postgres/connection.ts';
import { signsAsLetters } from './signs-as-letters.ts';

/** Verifying a part reads it. When more parts than these contain a text, a page fills faster without the index. */
export interface CandidateLimits {
  /** The minimum, for any number of parts. */
  readonly least: number;
  readonly most: number;
  /** Pages to sample for whether a text is too common. Sampling needs at least ten times as many pages. */
  readonly sampledPages: number;
}

export const candidateLimits: CandidateLimits = { least: 1_000, most: 20_000, sampledPages: 128 };
/**
 * Multiplied by the square root of the number of parts: verifying this many pays off. When one in `n` parts contains a
 * text, verifying costs the number of parts divided by `n`, and a page is full after `n` times its lines.
 */
const candidatesPerRoot = 10;
/** A text is common when more than this share of the parts contains it, for any number of parts. */
const commonShare = 0.1;
/** Parts to sample from one page: the parts of a page are similar. */
const sampledOfPage = 2;
/** After this the search does not use the index, and reads the files. */
const askMsMax = 2_000;

export interface CandidatesWanted {
  readonly workspaceId: string;
  /** Folded by core's `foldCase`. */
  readonly text: string;
  readonly limits: CandidateLimits;
}

/** Returns the contents that contain a text, verified in the database. Position and contents come from one snapshot. */
export async function readPostgresCandidates(
  connection: Connection,
  { workspaceId, text, limits }: CandidatesWanted,
): Promise<Candidates> {
  // Bitmap scans are enabled only here.
  await connection.commands(
    `begin isolation level repeatable read, read only; set local enable_bitmapscan = on; set local statement_timeout = ${askMsMax}`,
  );
  const { location, parts, pages } = await readFacts(connection, workspaceId);
  const { least, most, sampledPages } = limits;
  const partsMax = Math.min(most, Math.max(least, Math.floor(candidatesPerRoot * Math.sqrt(parts))));
  const pattern = `%${signsAsLetters(indexedText(text))}%`;
  const sample = pages >= 10 * sampledPages ? { share: sampledPages / pages, parts, partsMax } : null;
  const isCommon = sample !== null && (await isCommonInSample(connection, pattern, sample));
  const mayHold = isCommon ? null : await readHolding(connection, { workspaceId, pattern, partsMax });
  await connection.commands('commit');
  return { location, mayHold };
}

interface Facts {
  readonly location: IndexLocation;
  /** The number at the database's last count. */
  readonly parts: number;
  /** Pages that the parts occupy. */
  readonly pages: number;
}

async function readFacts(connection: Connection, workspaceId: string): Promise<Facts> {
  const { rows } = await connection.once(
    `select seq, mark, reltuples as parts, pg_relation_size(part.oid) / current_setting('block_size')::integer as pages
      from pg_class as part left join content_index_place on workspace_id = $1 where part.oid = 'content_index_part'::regclass`,
    [workspaceId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the table of parts is gone');
  return {
    location: locationOf(row.seq === null ? undefined : row),
    // Never counted is -1.
    parts: Math.max(0, Number(row.parts)),
    pages: Number(row.pages),
  };
}

/** Whether so many of the sampled parts contain a text that reading the files in order is faster. */
async function isCommonInSample(
  connection: Connection,
  pattern: string,
  sample: { readonly share: number; readonly parts: number; readonly partsMax: number },
): Promise<boolean> {
  const { rows } = await connection.once(
    `select count(*) as seen, count(*) filter (where folded like $1) as held from (
      select folded from content_index_part tablesample system (${100 * sample.share})
        where (ctid::text::point)[1] <= ${sampledOfPage} offset 0
    ) as sample`,
    [pattern],
  );
  const [{ seen, held } = { seen: 0, held: 0 }] = rows;
  const shareMax = Math.min(commonShare, sample.partsMax / Math.max(1, sample.parts));
  return Number(held) > Number(seen) * shareMax;
}

/** @returns null when more than `partsMax` parts contain the text. */
async function readHolding(
  connection: Connection,
  wanted: { readonly workspaceId: string; readonly pattern: string; readonly partsMax: number },
): Promise<ReadonlySet<ContentHash> | null> {
  // `offset 0` separates the queries: the workspace's key would read every part, and another join order would compare
  // every content with every part that was found.
  const { rows } = await connection.once(
    `with found as materialized (
      select content_id from content_index_part where folded like $1 limit ${wanted.partsMax + 1}
    )
    select parts, content_hash from (select count(*) as parts from found) as counted left join (
      select content_hash from (select distinct content_id from found offset 0) as one cross join lateral (
        select content_hash from content_index where workspace_id = $2 and id = one.content_id offset 0
      ) as named
    ) as holding on true`,
    [wanted.pattern, wanted.workspaceId],
  );
  if (Number(rows[0]?.parts) > wanted.partsMax) return null;
  return new Set(rows.flatMap(({ content_hash }) => (content_hash === null ? [] : [hashOf(content_hash)])));
}

export function locationOf(row: Readonly<Record<string, unknown>> | undefined): IndexLocation {
  return row === undefined ? beforeEverything : { seq: Number(row.seq), mark: String(row.mark) };
}

export function hashOf(value: unknown): ContentHash {
  // Only the index writes this column.
  return String(value) as ContentHash;
}
