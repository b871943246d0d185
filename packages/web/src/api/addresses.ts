import { encodePath } from '@stoa/client';
import { contentQueryMaxCharacters } from '@stoa/core';
import type { SoughtLine } from '../text/sought-line.ts';

/** Search parameters of an address. Undefined and empty ones are omitted. */
export type AddressSearch = Readonly<Record<string, string | undefined>>;

/** The target of an address in the app. */
export type AppPage =
  | { readonly kind: 'folder'; readonly workspaceId: string; readonly path: string }
  | { readonly kind: 'file'; readonly workspaceId: string; readonly path: string }
  | { readonly kind: 'workspace-page'; readonly workspaceId: string; readonly page: WorkspacePage }
  | { readonly kind: 'elsewhere' };

export type WorkspacePage =
  | 'activity'
  | 'conflicts'
  | 'find'
  | 'settings'
  | 'settings/appearance'
  | 'settings/members'
  | 'settings/links'
  | 'settings/usage'
  | 'settings/audit';

const workspacePages: readonly WorkspacePage[] = [
  'activity',
  'conflicts',
  'find',
  'settings',
  'settings/appearance',
  'settings/members',
  'settings/links',
  'settings/usage',
  'settings/audit',
];

/** The page of a folder; the empty path is the top folder. */
export function folderAddress(workspaceId: string, path: string, search?: AddressSearch): string {
  const base = `/w/${encodeURIComponent(workspaceId)}`;
  return withSearch(path === '' ? base : `${base}/d/${encodePath(path)}`, search);
}

export function fileAddress(workspaceId: string, path: string, search?: AddressSearch): string {
  return withSearch(`/w/${encodeURIComponent(workspaceId)}/f/${encodePath(path)}`, search);
}

/** The file at a line, with the words that a search found there. */
export function lineAddress(
  workspaceId: string,
  path: string,
  { line, words }: SoughtLine,
  search?: AddressSearch,
): string {
  return fileAddress(workspaceId, path, { ...search, line: String(line), find: words });
}

/** Returns the usable parameters of a line: its number, and the words. */
export function usableLine({ line, find }: Readonly<Record<string, unknown>>): {
  readonly line?: string | undefined;
  readonly find?: string | undefined;
} {
  const isLine = typeof line === 'string' && /^[1-9]\d{0,6}$/.test(line);
  const isFind =
    typeof find === 'string' &&
    find.trim() !== '' &&
    !find.includes('\n') &&
    [...find].length <= contentQueryMaxCharacters;
  return { line: isLine ? line : undefined, find: isFind ? find : undefined };
}

/** The line that the parameters of an address name; null if they name none. Other versions have other lines. */
export function soughtLine(search: Readonly<Record<string, unknown>>): SoughtLine | null {
  const { line, find } = usableLine(search);
  const isCurrent = search.v === undefined && search.compare === undefined && search.pinned === undefined;
  if (!isCurrent || (line === undefined && find === undefined)) return null;
  return { line: Number(line ?? 1), words: find ?? '' };
}

/** The bytes of a file, for elements that load them without the client: images, frames, downloads. */
export function fileContentAddress(workspaceId: string, path: string, search?: AddressSearch): string {
  return withSearch(`/api/workspaces/${encodeURIComponent(workspaceId)}/files/${encodePath(path)}`, search);
}

/** The bytes of an earlier version. */
export function versionContentAddress(
  workspaceId: string,
  search: {
    readonly path: string;
    readonly version: string;
    readonly contentHash: string;
    readonly preview?: '1' | undefined;
  },
): string {
  return withSearch(`/api/workspaces/${encodeURIComponent(workspaceId)}/version`, search);
}

/** The audit log as a file, for owners: all entries, or those of one kind. */
export function auditFileAddress(workspaceId: string, kind?: string): string {
  const search = { format: 'jsonl', ...(kind === undefined ? {} : { kind }) };
  return withSearch(`/api/workspaces/${encodeURIComponent(workspaceId)}/audit`, search);
}

export function workspacePageAddress(
  workspaceId: string,
  page: WorkspacePage,
  search?: AddressSearch,
): string {
  return withSearch(`/w/${encodeURIComponent(workspaceId)}/${page}`, search);
}

/** The sign-in or sign-up page, with the address to return to. */
export function signInAddress(next: string, page: 'signin' | 'signup' = 'signin'): string {
  return withSearch(`/${page}`, { next: next === '/' ? undefined : next });
}

/** Returns the address with some search parameters changed; undefined removes one. */
export function withChangedSearch(address: string, changes: AddressSearch): string {
  const [rest = '', hash] = address.split('#', 2);
  const [path = '', search = ''] = rest.split('?', 2);
  const fields = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') fields.delete(name);
    else fields.set(name, value);
  }
  return path + (fields.size === 0 ? '' : `?${fields}`) + (hash === undefined ? '' : `#${hash}`);
}

/** Parses a raw pathname: the inverse of `folderAddress` and its like. */
export function locationOf(pathname: string): AppPage {
  const [, id = '', rest = ''] = /^\/w\/([^/]+)\/?(.*)$/s.exec(pathname) ?? [];
  const workspaceId = decoded(id);
  if (workspaceId === null || workspaceId === '') return { kind: 'elsewhere' };
  if (rest === '') return { kind: 'folder', workspaceId, path: '' };
  const [, kind, raw = ''] = /^([df])\/(.*)$/s.exec(rest) ?? [];
  const path = decoded(raw.replace(/\/+$/, ''));
  if (kind !== undefined && path !== null && path !== '') {
    return { kind: kind === 'd' ? 'folder' : 'file', workspaceId, path };
  }
  const page = workspacePages.find((candidate) => candidate === rest);
  return page === undefined ? { kind: 'elsewhere' } : { kind: 'workspace-page', workspaceId, page };
}

/** Whether the current page is that of the file. */
export function isFileShown(workspaceId: string, path: string): boolean {
  const shown = locationOf(location.pathname);
  return shown.kind === 'file' && shown.workspaceId === workspaceId && shown.path === path;
}

/**
 * Returns `next` if it is a path of this origin, else `/`. Otherwise a link could redirect users to a foreign site
 * after sign-in.
 */
export function safeNext(next: string | undefined, origin: string): string {
  if (next === undefined || !next.startsWith('/') || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search + url.hash;
}

/** The token if the destination after signing in or up is an invite. */
export function inviteTokenOf(destination: string): string | undefined {
  const [, token] = /^\/invite\/([^/?#]+)/.exec(destination) ?? [];
  return token === undefined ? undefined : (decoded(token) ?? undefined);
}

function withSearch(path: string, search: AddressSearch | undefined): string {
  return search === undefined ? path : withChangedSearch(path, search);
}

function decoded(raw: string): string | null {
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}
