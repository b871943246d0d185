/** A request of a second `stoa` to the process that works on the folder. */
export type SyncRequest =
  | {
      readonly kind: 'sync';
      readonly confirm: boolean;
      readonly undoHeld: boolean;
      readonly isDryRun: boolean;
      /** Null: as configured. */
      readonly maxChanges: number | null;
    }
  | { readonly kind: 'accept_ignore' }
  | { readonly kind: 'resync' }
  | { readonly kind: 'empty_trash'; readonly olderThanDays: number }
  | { readonly kind: 'restore_trash'; readonly id: string };

/** Requests of other processes, from the view of the working process. */
export interface RequestBox {
  /**
   * Calls `onRequest` once for each request, including existing ones, until closed. Replies to unreadable requests
   * itself. At most 100 requests wait.
   */
  watch(onRequest: (id: string, request: SyncRequest) => void): Promise<{ close(): void }>;
  /** `outcome` is plain data: the JSON that the command would have printed. */
  answer(id: string, outcome: unknown): Promise<void>;
}
