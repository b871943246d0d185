// Users confirm a prompt before each delete without reading it. Undo is there when they notice a mistake.
import { linkToUsage } from '../api/full-workspace.ts';
import { folderOf, type ListData, nameOf } from '../api/listing-index.ts';
import { files as texts } from '../text/en/files.ts';
import { notices } from '../text/en/notices.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { askToConfirm } from '../ui/dialogs.ts';
import { type Notice, type NoticeHandle, notify } from '../ui/notices.ts';
import { type FilesContext, shownListing } from './files-context.ts';
import { withPropertiesMoved, withSteps } from './listing-changes.ts';
import { planWorker } from './plan-worker.ts';
import { runPlan } from './run-plan.ts';
import {
  type FileStep,
  type Moves,
  planDelete,
  planMove,
  restOf,
  undoOf,
  type WorkPlan,
  type WorkResult,
} from './work-plan.ts';

/** Moves, renames and deletes with undo: what changes at once, the notices, and the steps that are left. */

/** Work shorter than this shows no progress, since no user could read it. */
const quietMs = 400;
/** Above this many files, the list shows the server's state file by file instead of the final state at once. */
const shownAtOnceMax = 50;
/** Names in a notice; more are counted. */
const namesMax = 3;

interface Wording {
  /** `Moving plan.md`: for progress and for errors. */
  readonly doing: string;
  readonly some: (done: number, total: number) => string;
  readonly rest: string;
  readonly back: string;
}

const moveWording = (operation: string): Wording => ({
  doing: operation,
  some: texts.movedSome,
  rest: texts.moveRest,
  back: texts.moveBack,
});

const deleteWording = (what: string): Wording => ({
  doing: texts.doing.deleting(what),
  some: texts.deletedSome,
  rest: texts.deleteRest,
  back: notices.undo,
});

const restoreWording = (what: string): Wording => ({
  doing: texts.doing.restoring(what),
  some: texts.restoredSome,
  rest: texts.restoreRest,
  back: notices.undo,
});

export async function moveItems(context: FilesContext, moves: Moves): Promise<void> {
  const [first] = moves;
  if (first === undefined) return;
  const renames = moves.length === 1 && folderOf(first.from) === folderOf(first.to);
  const what = whatIs(moves.map(({ from }) => from));
  const said = renames
    ? texts.renamed(nameShown(first.to))
    : texts.moved(what, folderName(context, first.to));
  const operation = renames ? texts.doing.renaming(what) : texts.doing.moving(what);
  const plan = planMove(moves, shownListing(context));
  for (const { from, to } of moves) context.follow(from, to);

  await perform(context, withKeepsThatMayBe(context, plan), moveWording(operation), {
    whole: (result) => ({
      text: said,
      actions: [{ label: notices.undo, run: () => void moveBack(context, result, moves, what) }],
    }),
    back: (result) => void moveBack(context, result, moves, what),
    nothing: () => {
      for (const { from, to } of moves) context.follow(to, from);
    },
  });
}

async function moveBack(
  context: FilesContext,
  result: WorkResult,
  moves: Moves,
  what: string,
): Promise<void> {
  const [first] = moves;
  if (first === undefined) return;
  for (const { from, to } of moves) context.follow(to, from);
  const renames = moves.length === 1 && folderOf(first.from) === folderOf(first.to);
  const text = renames
    ? texts.renamed(nameShown(first.from))
    : texts.moved(what, folderName(context, first.from));
  await perform(context, undoOf(result), moveWording(texts.doing.moving(what)), { whole: () => ({ text }) });
}

/**
 * Deletes a single file at once. Anything else asks first, as does a workspace in which nothing can be restored (T14).
 */
export async function deleteItems(context: FilesContext, paths: readonly string[]): Promise<void> {
  const listing = shownListing(context);
  const plan = planDelete(paths, listing);
  if (plan.files.length === 0) return;
  const readOnly = context.readOnlyBecause() !== null;
  const [only] = paths;
  const oneFile = paths.length === 1 && only !== undefined && listing.files.has(only);
  if (!oneFile || readOnly) {
    const count = plan.files.length;
    const yes = await askToConfirm({
      title:
        paths.length === 1 && only !== undefined
          ? texts.deleteTitle(nameShown(only))
          : texts.deleteManyTitle(paths.length),
      text: readOnly ? texts.deleteTextReadOnly(count) : texts.deleteText(count),
      action: texts.delete,
    });
    if (!yes) return;
  }
  await performDelete(context, withKeepsThatMayBe(context, plan), whatIs(paths), !readOnly);
  for (const path of paths) if (shownListing(context).entryAt(path) === null) context.follow(path, null);
}

/** Writes no placeholders in a read-only workspace: there a folder ends with its last file. */
function withKeepsThatMayBe(context: FilesContext, plan: WorkPlan): WorkPlan {
  return context.readOnlyBecause() === null ? plan : { ...plan, keeps: [] };
}

async function performDelete(
  context: FilesContext,
  plan: WorkPlan,
  what: string,
  mayUndo: boolean,
): Promise<void> {
  const undo = (result: WorkResult) => void restoreDeleted(context, result, what);
  await perform(context, plan, deleteWording(what), {
    whole: (result) => ({
      text: texts.deleted(what),
      ...(mayUndo ? { actions: [{ label: notices.undo, run: () => undo(result) }] } : {}),
    }),
    ...(mayUndo ? { back: undo } : {}),
    changed: (steps) => {
      const again = () => {
        const files = steps
          .filter((step) => step.kind === 'delete')
          .map(({ path }) => ({ kind: 'delete' as const, path, version: null }));
        void performDelete(
          context,
          { keeps: plan.keeps, files, folders: [] },
          whatIs(steps.map(pathOf)),
          mayUndo,
        );
      };
      const [first] = steps;
      const text =
        steps.length === 1 && first !== undefined
          ? texts.changedSince(nameShown(pathOf(first)))
          : texts.manyChangedSince(steps.length);
      return { text, failure: true, actions: [{ label: texts.deleteAnyway, run: again }] };
    },
  });
}

async function restoreDeleted(context: FilesContext, result: WorkResult, what: string): Promise<void> {
  const plan = undoOf(result);
  const { files } = shownListing(context);
  // Another user has created a file there since: it stays.
  const taken = plan.files.filter((step) => files.has(pathOf(step)));
  for (const step of taken.slice(0, 1)) {
    const name = nameShown(pathOf(step));
    notify({ text: notices.notRestored(name, texts.taken(name)), failure: true });
  }
  const free = plan.files.filter((step) => !taken.includes(step));
  if (free.length === 0) return;
  await perform(context, { ...plan, files: free }, restoreWording(what), {
    whole: () => ({ text: notices.restored(what) }),
    failed: (reason, name) => ({ text: notices.notRestored(name, reason), failure: true }),
  });
}

interface Ends {
  /** All of it was done. */
  whole(result: WorkResult): Notice;
  /** Offers to undo; called also if some steps are left. */
  back?(result: WorkResult): void;
  /** Some files had changed since they were listed. */
  changed?(steps: readonly FileStep[]): Notice;
  /** Rejected, with a message of its own. */
  failed?(reason: string, name: string): Notice;
  /** Nothing was done. */
  nothing?(): void;
}

/** @param earlier steps of the same work that were done before it was stopped */
async function perform(
  context: FilesContext,
  plan: WorkPlan,
  wording: Wording,
  ends: Ends,
  earlier: readonly FileStep[] = [],
): Promise<void> {
  const total = earlier.length + plan.files.length;
  const stop = new AbortController();
  const takeBack = total > shownAtOnceMax ? () => {} : context.listing.show((data) => afterPlan(data, plan));
  let doneCount = earlier.length;
  const progress = (): Notice => ({
    text: texts.progress(wording.doing, doneCount, total),
    stays: true,
    actions: [{ label: texts.stop, run: () => stop.abort() }],
  });
  const shown: NoticeHandle[] = [];
  const timer = setTimeout(() => {
    if (total > 1) shown.push(notify(progress()));
  }, quietMs);
  const ran = await runPlan(plan, planWorker(context.workspaceId), {
    stop: stop.signal,
    onProgress: (count) => {
      doneCount = earlier.length + count;
      for (const notice of shown) notice.change(progress());
    },
  });
  clearTimeout(timer);
  for (const notice of shown) notice.close();
  const result: WorkResult = {
    ...ran,
    plan: { ...plan, files: [...earlier, ...plan.files] },
    done: [...earlier, ...ran.done],
  };
  // The list shows files deleted by others at their expected paths, and no event corrects that.
  if (result.done.length < result.plan.files.length) takeBack();
  if (result.done.length === 0) ends.nothing?.();
  for (const notice of endNotices(context, result, wording, ends)) notify(notice);
}

function endNotices(
  context: FilesContext,
  result: WorkResult,
  wording: Wording,
  ends: Ends,
): readonly Notice[] {
  const { done, left, failures, plan } = result;
  if (left.length === 0 && failures.length === 0) {
    const isGone = done.length === 0 && plan.files.length > 0;
    return [
      isGone ? { text: texts.gone(plan.files.map((step) => nameShown(pathOf(step)))) } : ends.whole(result),
    ];
  }
  const notices: Notice[] = [];
  const changed = failures.filter(({ failure }) => failure.kind === 'changed').map(({ step }) => step);
  const asked = changed.length > 0 ? ends.changed?.(changed) : undefined;
  if (asked !== undefined) notices.push(asked);
  for (const { step, failure } of failures) {
    if (failure.kind !== 'refused') continue;
    const links = failure.noRoom === true ? [linkToUsage(context.workspaceId)] : [];
    notices.push({ ...errorNotice(step, failure.message), links });
    break;
  }
  const open = asked !== undefined ? left.filter((step) => !changed.includes(step)) : left;
  if (open.length > 0 && plan.files.length > 1) notices.push(leftover(open));
  else if (done.length > 0) notices.push(ends.whole(result));
  return notices;

  function errorNotice(step: FileStep, message: string): Notice {
    const name = nameShown(pathOf(step));
    const ofFolder = !plan.files.includes(step) && left.length === 0;
    if (ofFolder) return { text: texts.belongingsStayed(name), failure: true };
    return ends.failed?.(message, name) ?? { text: ui.notPossible(wording.doing, message), failure: true };
  }

  function leftover(steps: readonly FileStep[]): Notice {
    const rest = () => void perform(context, { ...restOf(result), files: steps }, wording, ends, done);
    const { back } = ends;
    const actions = [
      { label: wording.rest, run: rest },
      ...(back === undefined || done.length === 0 ? [] : [{ label: wording.back, run: () => back(result) }]),
    ];
    const text = `${wording.some(done.length, plan.files.length)} ${namesOf(steps)}`;
    return { text, stays: true, actions };
  }
}

function afterPlan(data: ListData, plan: WorkPlan): ListData {
  return withPropertiesMoved(withSteps(data, plan.files), [
    ...plan.folders,
    ...plan.files.filter((step) => step.kind === 'move'),
  ]);
}

function namesOf(left: readonly FileStep[]): string {
  const names = left.slice(0, namesMax).map((step) => nameShown(pathOf(step)));
  return texts.leftOver(names, left.length - names.length);
}

function pathOf(step: FileStep): string {
  return step.kind === 'move' ? step.from : step.path;
}

/** One item by its name, several by their number. */
function whatIs(paths: readonly string[]): string {
  const [only] = paths;
  return paths.length === 1 && only !== undefined ? nameShown(only) : texts.items(paths.length);
}

function nameShown(path: string): string {
  return visibleName(nameOf(path));
}

/** Name of the folder that contains a path; for the top folder, the workspace's name. */
function folderName({ workspaceName }: FilesContext, path: string): string {
  const folder = folderOf(path);
  return folder === '' ? workspaceName : nameShown(folder);
}
