/** The parts of the interface, as the manifest groups them. */
export type Part =
  | 'files'
  | 'paths'
  | 'history'
  | 'moves'
  | 'search'
  | 'feed'
  | 'keys'
  | 'access'
  | 'workspaces'
  | 'account'
  | 'errors'
  | 'limits'
  | 'privacy'
  | 'members'
  | 'shares'
  | 'comments'
  | 'device'
  | 'mcp';

/** Work that is still to come and that will verify what it owes. */
export type LaterWork = 'comments' | 'device' | 'mcp' | 'scale-out';

/** One thing that a client may rely on. `owedBy` is null once the service has it: then a test must verify it. */
export interface Requirement<Id extends string = string> {
  readonly id: Id;
  readonly part: Part;
  readonly says: string;
  readonly owedBy: LaterWork | null;
}

type Says<Id extends string> = Readonly<Record<Id, string>>;

/** Requirements that the service meets now. */
export function due<Id extends string>(part: Part, says: Says<Id>): readonly Requirement<Id>[] {
  return list(part, says, null);
}

/** Requirements that later work will meet. */
export function owed<Id extends string>(
  part: Part,
  owedBy: LaterWork,
  says: Says<Id>,
): readonly Requirement<Id>[] {
  return list(part, says, owedBy);
}

function list<Id extends string>(
  part: Part,
  says: Says<Id>,
  owedBy: LaterWork | null,
): readonly Requirement<Id>[] {
  const requirements: Requirement<Id>[] = [];
  for (const id in says) requirements.push({ id, part, says: says[id], owedBy });
  return requirements;
}
