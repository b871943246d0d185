import { markNames } from '../start/move-marks.ts';
import { begunLocationName, commonNames } from '../start/reject-disagreeing-node.ts';
import type { HeldDatabase } from '../storage/held-database.ts';

/** Name under which the nodes of a database share the secret that signs sessions, if no setting has it. */
export const sharedSecretName = 'session';

/** Secrets that each database has for itself, or that are written where the target reads them. */
const ownNames: readonly string[] = [
  ...Object.values(commonNames),
  begunLocationName,
  ...Object.values(markNames),
  sharedSecretName,
];

export async function keepSecret(database: HeldDatabase, name: string, value: string): Promise<void> {
  await database.change(
    `insert into server_secret (name, value, created_at) values (?, ?, ?)
      on conflict (name) do update set value = excluded.value`,
    [name, value, Date.now()],
  );
}

export async function forgetSecret(database: HeldDatabase, name: string): Promise<void> {
  await database.change('delete from server_secret where name = ?', [name]);
}

/** Copies the secrets with any other name. */
export async function copySecrets(source: HeldDatabase, target: HeldDatabase): Promise<void> {
  const { rows } = await source.executor.once('select name, value from server_secret order by name', []);
  for (const { name, value } of rows) {
    if (!ownNames.includes(String(name))) await keepSecret(target, String(name), String(value));
  }
}
