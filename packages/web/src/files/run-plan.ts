import { type FileStep, isWhole, type StepFailure, type WorkPlan, type WorkResult } from './work-plan.ts';

/** What carries out the steps of a plan. */
export interface PlanWorker {
  keepFolder(folder: string): Promise<StepAnswer>;
  change(step: FileStep): Promise<StepAnswer>;
  moveFolder(folder: { readonly from: string; readonly to: string }): Promise<StepAnswer>;
}

export type StepAnswer =
  | { readonly kind: 'done' }
  /** Somebody else did it already. It is not ours to take back. */
  | { readonly kind: 'not_needed' }
  /** A delete that found another version than the listed one and took that. */
  | { readonly kind: 'done_as'; readonly version: number }
  | { readonly kind: 'failed'; readonly failure: StepFailure; readonly goOn: boolean };

/** Requests under way at once: the browser keeps some of its connections for the rest of the page. */
const stepsAtOnce = 3;
/** So many refusals in one piece of work have one cause. */
const failuresMax = 20;

/**
 * Carries out a plan. `stop` ends it between two steps; what was begun is finished. Nothing is tried again by itself.
 * @param onProgress the number of files done so far.
 */
export async function runPlan(
  plan: WorkPlan,
  worker: PlanWorker,
  { stop, onProgress }: { readonly stop?: AbortSignal; readonly onProgress?: (done: number) => void } = {},
): Promise<WorkResult> {
  const done: FileStep[] = [];
  const failures: { step: FileStep; failure: StepFailure }[] = [];
  const notDone = new Set(plan.files);
  let stopped = false;
  const result = (): WorkResult => ({
    plan,
    done,
    left: plan.files.filter((step) => notDone.has(step)),
    failures,
  });

  for (const folder of plan.keeps) {
    const answer = await worker.keepFolder(folder);
    if (answer.kind !== 'failed') continue;
    // A full workspace can be tidied up all the same: there the folder ends with its last file, and Undo has the room for it.
    if (hasNoRoom(answer.failure)) continue;
    const [step] = plan.files;
    if (step !== undefined) failures.push({ step, failure: answer.failure });
    return result();
  }

  const queue = plan.files.values();
  async function work(): Promise<void> {
    for (const step of queue) {
      if (stopped || stop?.aborted === true) return;
      const answer = await worker.change(step);
      if (answer.kind === 'failed') {
        failures.push({ step, failure: answer.failure });
        stopped ||= !answer.goOn || failures.length >= failuresMax;
        continue;
      }
      notDone.delete(step);
      if (answer.kind === 'not_needed') continue;
      done.push(
        answer.kind === 'done_as' && step.kind === 'delete' ? { ...step, version: answer.version } : step,
      );
      onProgress?.(done.length);
    }
  }
  await Promise.all(Array.from({ length: stepsAtOnce }, work));

  const { left } = result();
  for (const folder of plan.folders) {
    if (!isWhole(folder.from, left)) continue;
    const answer = await worker.moveFolder(folder);
    // The files are where they belong. The folder's icon, order and privacy are not, which the caller says.
    if (answer.kind === 'failed') {
      failures.push({ step: { kind: 'move', ...folder }, failure: answer.failure });
    }
  }
  return result();
}

function hasNoRoom(failure: StepFailure): boolean {
  return failure.kind === 'refused' && failure.noRoom === true;
}
