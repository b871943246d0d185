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

/** One thing that a client may rely on. A test must verify it. */
export interface Requirement<Id extends string = string> {
  readonly id: Id;
  readonly part: Part;
  readonly says: string;
}

/** Requirements by their ids. */
export function due<Id extends string>(
  part: Part,
  says: Readonly<Record<Id, string>>,
): readonly Requirement<Id>[] {
  const requirements: Requirement<Id>[] = [];
  for (const id in says) requirements.push({ id, part, says: says[id] });
  return requirements;
}
