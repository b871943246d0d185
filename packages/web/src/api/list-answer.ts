import type { StoaClient } from '@stoa/client';
import type { ActorRecord } from './people.ts';

/** The answer of `list`. */
export type ListAnswer = Awaited<ReturnType<StoaClient['list']>>;

/** What a list with details says besides. */
interface ListedDetails extends Partial<ActorRecord> {
  readonly contentHash?: string;
  readonly changedAt?: string;
  readonly frontMatter?: { readonly date?: string; readonly title?: string; readonly view?: 'calendar' };
}

/** A file as `list` names it. */
export type ListedFile = ListAnswer['entries'][number] & ListedDetails;
