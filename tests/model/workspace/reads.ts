import {
  factsOf,
  isOfType,
  matchesTerms,
  parseConflictedCopyPath,
  parseFindQuery,
  parseWorkspacePath,
} from '@stoa/core';
import { type Actor, type Stay, sha256, sizeOf, type Version } from './facts.ts';
import type { Holdings } from './holdings.ts';
import { byCodePoint, isUnder } from './paths.ts';
import { type Expected, error } from './responses.ts';

/** A file as a list shows it. */
export interface ModelEntry {
  readonly path: string;
  readonly size: number;
  readonly contentType: string;
  readonly version: number;
}

export interface ContentQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly prefix: string;
  /** Files up to this path are skipped. */
  readonly after: string | null;
}

export interface ContentFound {
  readonly files: readonly { readonly path: string; readonly version: number; readonly content: string }[];
  readonly searchedFiles: number;
}

/**
 * Newest first: the current file and the ones it was moved from, then the earlier ones, each version once. A
 * version written at another path names it. A path that the viewer cannot see ends the chain.
 */
export function versions(held: Holdings, viewer: Actor, path: string): Expected {
  const stays = (held.stays.get(path) ?? []).filter((stay) => !held.hasLeftInPrivate(stay, viewer));
  if (stays.length === 0 || !held.privacy.isVisible(path, viewer)) return error(404);
  const shown = new Map<Version, string>();
  for (const stay of stays.toReversed()) {
    for (let part: Stay | null = stay; part !== null; part = part.cameFrom) {
      if (!held.privacy.isVisible(part.path, viewer)) break;
      for (const version of part.versions.toReversed())
        if (!shown.has(version)) shown.set(version, part.path);
    }
  }
  const versions = [...shown].map(
    ([{ content, actor, movedFrom: _, base = null, ...version }, writtenAt]) => ({
      ...version,
      ...(version.op === 'conflict'
        ? {
            conflictBase: base?.version ?? null,
            conflictBaseHash: base === null ? null : sha256(base.content),
          }
        : {}),
      size: sizeOf(content),
      contentHash: sha256(content),
      ...actor,
      ...(writtenAt === path ? {} : { movedFrom: writtenAt }),
    }),
  );
  return { status: 200, json: { versions } };
}

/** @param details whether each entry also has its content hash and its author. */
export function list(held: Holdings, viewer: Actor, prefix: string, details = false): Expected {
  const privatePaths = [...held.privacy.records]
    .filter(([path, { ownerId }]) => ownerId === viewer.actorId && isUnder(prefix, path))
    .map(([path]) => path)
    .sort(byCodePoint);
  const listed = entries(held, viewer, prefix).map((entry) => {
    const head = details ? held.head(entry.path) : null;
    return head === null ? entry : { ...entry, contentHash: sha256(head.content), ...head.actor };
  });
  return { status: 200, json: { entries: listed, icons: {}, orders: {}, privatePaths, nextCursor: null } };
}

/** The files at or under the prefix, in the order of a listing. */
export function entries(held: Holdings, viewer: Actor, prefix: string): readonly ModelEntry[] {
  const paths = held.visiblePaths(viewer).filter((path) => isUnder(prefix, path));
  return paths.sort(byCodePoint).flatMap((path) => {
    const head = held.head(path);
    if (head === null) return [];
    const { content, contentType, version } = head;
    return [{ path, size: sizeOf(content), contentType, version }];
  });
}

/** History is all written bytes minus the current ones. A move writes no bytes. */
export function usage(held: Holdings): {
  readonly usedBytes: number;
  readonly usedFiles: number;
  readonly historyBytes: number;
} {
  const sizes = held.paths().map((path) => sizeOf(held.head(path)?.content ?? ''));
  const versions = [...held.stays.values()].flat().flatMap((stay) => stay.versions);
  const written = versions.filter(({ op }) => op !== 'move').map(({ content }) => sizeOf(content));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, size) => total + size, 0);
  return { usedBytes: sum(sizes), usedFiles: sizes.length, historyBytes: sum(written) - sum(sizes) };
}

/**
 * Every file and folder whose path has the query's characters in order, as `path` or `path/`. Order does not
 * matter.
 */
export function search(held: Holdings, viewer: Actor, query: string): readonly string[] {
  const paths = held.visiblePaths(viewer);
  const folders = paths.flatMap((path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)));
  const nodes = [...paths.map((path) => [path, path]), ...folders.map((path) => [path, `${path}/`])];
  const found = nodes.filter(([path = '']) => {
    let at = 0;
    for (const character of path.toLowerCase()) if (character === query[at]) at += 1;
    return at === query.length;
  });
  return [...new Set(found.map(([, shown = '']) => shown))].sort();
}

/** A file, or a folder with a slash, for which there is no version. */
export interface Found {
  readonly path: string;
  readonly version: number | null;
}

/** Evaluates the query for each file and folder. Order does not matter. */
export function find(held: Holdings, viewer: Actor, asked: string): readonly Found[] {
  const query = parseFindQuery(asked);
  const shown = entries(held, viewer, '');
  const files = shown.filter(({ path, contentType }) => {
    const passes = query.filters.every((filter) => {
      const is = parseWorkspacePath(path);
      if (filter.kind === 'in') return path.startsWith(`${filter.folder}/`);
      if (filter.kind === 'type') return isOfType(is, contentType, filter.type);
      return filter.kind === 'is' && parseConflictedCopyPath(is) !== null;
    });
    return passes && matchesTerms(query, factsOf(path, held.head(path)?.content ?? null));
  });
  const above = shown.flatMap(({ path }) =>
    [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)),
  );
  const folders = [...new Set(above)].filter((path) => {
    const passes = query.filters.every(
      (filter) => filter.kind === 'in' && path.startsWith(`${filter.folder}/`),
    );
    return passes && matchesTerms(query, factsOf(path.slice(path.lastIndexOf('/') + 1), null));
  });
  return [
    ...files.map(({ path, version }) => ({ path, version })),
    ...folders.map((path) => ({ path: `${path}/`, version: null })),
  ].sort((a, b) => byCodePoint(a.path, b.path));
}

/** Every text is one line. The shown part of a long line is not compared. */
export function searchContent(held: Holdings, viewer: Actor, query: ContentQuery): ContentFound {
  const { text, matchCase, prefix, after } = query;
  const looked = entries(held, viewer, prefix).filter(
    ({ path }) => after === null || byCodePoint(path, after) > 0,
  );
  const fold = (given: string) => (matchCase ? given : given.toLowerCase());
  const files = looked.flatMap(({ path, version }) => {
    const content = held.head(path)?.content ?? '';
    return fold(content).includes(fold(text)) ? [{ path, version, content }] : [];
  });
  return { files, searchedFiles: looked.length };
}
