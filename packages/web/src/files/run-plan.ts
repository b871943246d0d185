import { type FileStep, isWhole, type StepFailure, type WorkPlan, type WorkResult } from './work-plan.ts';

/** Runs the steps of a plan. */
export interface PlanWorker {
  keepFolder(folder: string): Promise<StepResponse>;
  change(step: FileStep): Promise<StepResponse>;
  moveFolder(folder: { readonly from: string; readonly to: string }): Promise<StepResponse>;
}

export type StepResponse =
  | { readonly kind: 'done' }
  /** Another user did it already. Undo must not revert it. */
  | { readonly kind: 'not_needed' }
  /** A delete that found another version than the listed one, and deleted that. */
  | { readonly kind: 'done_as'; readonly version: number }
  | { readonly kind: 'failed'; readonly failure: StepFailure; readonly goOn: boolean };

/** Concurrent requests. The browser keeps some of its connections for the rest of the page. */
const stepsAtOnce = 3;
/** This many failures in one plan have one cause, so the plan stops. */
const failuresMax = 20;

/**
 * Runs a plan. `stop` ends it between two steps; started steps finish. Nothing is retried.
 * @param onProgress called with the number of files done so far
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
    const response = await worker.keepFolder(folder);
    if (response.kind !== 'failed') continue;
    // A full workspace must still allow cleaning up. The folder then ends with its last file, which leaves room for
    // Undo.
    if (hasNoRoom(response.failure)) continue;
    const [step] = plan.files;
    if (step !== undefined) failures.push({ step, failure: response.failure });
    return result();
  }

  const queue = plan.files.values();
  async function work(): Promise<void> {
    for (const step of queue) {
      if (stopped || stop?.aborted === true) return;
      const response = await worker.change(step);
      if (response.kind === 'failed') {
        failures.push({ step, failure: response.failure });
        stopped ||= !response.goOn || failures.length >= failuresMax;
        continue;
      }
      notDone.delete(step);
      if (response.kind === 'not_needed') continue;
      done.push(
        response.kind === 'done_as' && step.kind === 'delete' ? { ...step, version: response.version } : step,
      );
      onProgress?.(done.length);
    }
  }
  await Promise.all(Array.from({ length: stepsAtOnce }, work));

  const { left } = result();
  for (const folder of plan.folders) {
    if (!isWhole(folder.from, left)) continue;
    const response = await worker.moveFolder(folder);
    // The files have moved, but the folder's icon, order and privacy have not. The caller reports that.
    if (response.kind === 'failed') {
      failures.push({ step: { kind: 'move', ...folder }, failure: response.failure });
    }
  }
  return result();
}

function hasNoRoom(failure: StepFailure): boolean {
  return failure.kind === 'refused' && failure.noRoom === true;
}
