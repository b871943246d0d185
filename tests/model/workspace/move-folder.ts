import type { Actor } from './facts.ts';
import type { Holdings } from './holdings.ts';
import { byCodePoint, transferredType } from './paths.ts';
import type { PrivacyRecord } from './privacy.ts';
import { type Expected, error } from './responses.ts';

interface Move {
  readonly from: string;
  readonly to: string;
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** Moves the private records at and below a folder. With `files` its files also move, in one step. */
export function moveFolder(held: Holdings, actor: Actor, move: Move, files: boolean): Expected {
  const { from, to } = move;
  if (isWithin(to, from)) return error(400);
  if (!files) {
    if (recordsOf(held, actor, from).length > 0 && !held.privacy.isVisible(to, actor)) return error(404);
    transferRecords(held, actor, move);
    return { status: 200, json: { ok: true, from, to } };
  }
  if (!held.privacy.isVisible(from, actor)) return error(404);
  const moved = held
    .visiblePaths(actor)
    .filter((path) => path.startsWith(`${from}/`))
    .sort(byCodePoint);
  if (moved.length === 0 || !held.privacy.isVisible(to, actor)) return error(404);
  if (held.seesAtOrBelow(to, actor)) return error(409);
  if (held.isBlocked(to)) return held.blocked(to, actor);
  if (moved.some((path) => !held.privacy.isVisible(rebased(path, move), actor))) return error(404);
  for (const [path, record] of recordsOf(held, actor, from)) {
    const at = rebased(path, move);
    if (record.kind === 'folder' && held.privacy.isVisible(at, actor)) makePrivate(held, actor, at, record);
  }
  for (const path of moved) moveOne(held, actor, path, rebased(path, move));
  transferRecords(held, actor, move);
  return { status: 200, json: { ok: true, from, to, files: moved.length } };
}

const rebased = (path: string, { from, to }: Move) => to + path.slice(from.length);

function recordsOf(held: Holdings, actor: Actor, folder: string): readonly [string, PrivacyRecord][] {
  return [...held.privacy.records]
    .filter(([path, { ownerId }]) => ownerId === actor.actorId && isWithin(path, folder))
    .sort(([a], [b]) => byCodePoint(a, b));
}

/** A record stays if its new path belongs to another user. It is copied if files remain at the old path. */
function transferRecords(held: Holdings, actor: Actor, move: Move): void {
  const transferred = recordsOf(held, actor, move.from).filter(([path]) =>
    held.privacy.isVisible(rebased(path, move), actor),
  );
  for (const [path, record] of transferred) {
    makePrivate(held, actor, rebased(path, move), record);
    if (held.seesAtOrBelow(path, actor)) continue;
    held.privacy.records.delete(path);
    if (held.isSharedAtOrBelow(path)) held.recordAccess(actor, 'access_granted', path);
  }
}

function makePrivate(held: Holdings, actor: Actor, path: string, record: PrivacyRecord): void {
  const wasShared = held.isSharedAtOrBelow(path);
  held.privacy.records.set(path, record);
  if (record.kind === 'folder') {
    for (const [below, { implied, ownerId }] of [...held.privacy.records]) {
      const isCovered = below.startsWith(`${path}/`) && ownerId === actor.actorId;
      if (implied && isCovered) held.privacy.records.delete(below);
    }
  }
  if (wasShared) held.recordAccess(actor, 'access_revoked', path);
}

/** Moves to a path that is known to be free. */
export function moveOne(held: Holdings, actor: Actor, from: string, to: string): void {
  const source = held.current.get(from);
  const head = held.head(from);
  if (source === undefined || head === null) throw new Error(`no file at ${from}`);
  const contentType = transferredType(head.contentType, from, to);
  held.end(from, actor);
  held.privacy.move(from, to);
  held.begin(to, { ...head, version: 1, contentType, op: 'move', actor, movedFrom: from }, source);
}
