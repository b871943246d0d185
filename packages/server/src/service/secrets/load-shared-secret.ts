import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface MadeSecret {
  readonly name: string;
  readonly value: string;
  readonly createdAt: number;
}

export const keepSecretScript = defineScript<MadeSecret, void>(
  'secrets.keep',
  async (tx, secret) => await tx.write.keepSecret(secret),
);

export const forgetSecretScript = defineScript<{ readonly name: string }, void>(
  'secrets.forget',
  async (tx, { name }) => await tx.write.forgetSecret(name),
);

/**
 * Returns the installation's secret of this name, which the database stores. When several nodes start together on an
 * empty one, the first to commit creates it for all.
 */
export async function loadSharedSecret(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  name: string,
  make: () => string,
): Promise<string> {
  const { secrets } = deps.store.reader;
  const known = await secrets.find(name);
  if (known !== null) return known;
  await deps.store.transact(keepSecretScript, { name, value: make(), createdAt: deps.clock() });
  const kept = await secrets.find(name);
  if (kept === null) throw new Error(`the database did not store the secret "${name}"`);
  return kept;
}
