import type { Answer } from '../support/answer.ts';

/** What came of asking for a change. */
export type Told =
  /** Made, as this version. */
  | { readonly kind: 'version'; readonly version: number }
  /** Deleted or moved. */
  | { readonly kind: 'done' }
  /** The bytes were taken for those of a lost race. */
  | { readonly kind: 'copy'; readonly path: string }
  | { readonly kind: 'absent' }
  /** The service could not do it, and says that nothing was changed. */
  | { readonly kind: 'nothing changed'; readonly says: string }
  /** It may have been made or not: no answer came, or one that says so. */
  | { readonly kind: 'not known'; readonly says: string }
  /** What no client should ever be told. */
  | { readonly kind: 'wrong'; readonly says: string };

/** One caller in one workspace at one node, by REST or by MCP. Nothing here throws: a broken connection is an answer too. */
export interface Surface {
  /** @param base the version that the bytes are made from, null for a file that is new. */
  write(path: string, body: Buffer, base: number | null): Promise<Told>;
  remove(path: string, version: number): Promise<Told>;
  move(from: string, to: string): Promise<Told>;
}

/** A refusal for lack of database or object store, by its text. */
export function unavailable(says: string): Told {
  return { kind: says.includes('Nothing was changed') ? 'nothing changed' : 'not known', says };
}

/** What came of asking, when no answer is one too. */
export async function toldBy(
  asked: Promise<Answer>,
  read: (answer: Answer, says: string) => Told,
): Promise<Told> {
  let answer: Answer;
  try {
    answer = await asked;
  } catch (error) {
    return { kind: 'not known', says: String(error) };
  }
  return read(answer, `${answer.status} ${answer.bytes.toString()}`);
}
