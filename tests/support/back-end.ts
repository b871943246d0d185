/** The storage below the service: a database, and a store for large contents. */
export const backEnds = ['sqlite-disk', 'postgres-disk', 'postgres-s3'] as const;
export type BackEnd = (typeof backEnds)[number];

/** The back end that `STOA_TEST_BACKEND` names, by default the one that needs no server. */
export function chosenBackEnd(): BackEnd {
  const name = process.env.STOA_TEST_BACKEND ?? '';
  const chosen = backEnds.find((known) => known === (name === '' ? 'sqlite-disk' : name));
  if (chosen === undefined) throw new Error(`STOA_TEST_BACKEND=${name}: there are ${backEnds.join(', ')}`);
  return chosen;
}
