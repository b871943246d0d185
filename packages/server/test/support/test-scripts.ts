import { defineAuditedScript } from '../../src/service/auditing/audited-script.ts';
import { deleteKeysOf } from '../../src/service/keys/delete-keys-of.ts';
import { defineScript } from '../../src/service/ports/script.ts';

interface KeysOf {
  readonly userId: string;
  readonly workspaceId: string;
  readonly deletedAt: number;
}

export const deleteKeysOfScript = defineAuditedScript<KeysOf, number>(
  'test.deleteKeysOf',
  async (tx, { userId, workspaceId, deletedAt }) =>
    await deleteKeysOf(tx, { userId, workspaceId }, deletedAt),
);

/** No command disables a key yet; the state exists in the schema. */
export const disableKeyScript = defineScript<{ readonly keyId: string }, void>(
  'test.disableKey',
  async (tx, { keyId }) => {
    const statement = 'update api_key set disabled = 1 where id = ?';
    const { changedRows } = await tx.write.execute(statement, [keyId]);
    if (changedRows !== 1) throw new Error(`no key ${keyId}`);
  },
);
