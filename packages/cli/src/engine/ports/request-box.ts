/** What a second `stoa` asks of the one that works on the folder. */
export type SyncRequest =
  | {
      readonly kind: 'sync';
      readonly confirm: boolean;
      readonly undoHeld: boolean;
      readonly isDryRun: boolean;
      /** Null: as configured; `none`: not held for their number or share. */
      readonly maxDeletes: number | 'none' | null;
    }
  | { readonly kind: 'accept_ignore' }
  | { readonly kind: 'resync' }
  | { readonly kind: 'empty_trash'; readonly olderThanDays: number }
  | { readonly kind: 'restore_trash'; readonly id: string };

/** The requests of others, as the working process sees them. */
export interface RequestBox {
  /**
   * Calls for each request once, those that are there already too, until closed; one that cannot be read is answered by
   * the box itself. At most 100 wait.
   */
  watch(onRequest: (id: string, request: SyncRequest) => void): Promise<{ close(): void }>;
  /** `outcome` is plain data: what the command would have printed as JSON. */
  answer(id: string, outcome: unknown): Promise<void>;
}
