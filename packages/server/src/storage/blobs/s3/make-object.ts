import { makeSure, type SentObject } from './make-sure.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * Takes the step that an object comes into being with, and makes sure of it. When the answer is lost, or a second try
 * finds the upload gone, the object itself tells whether it was done.
 * @param make resolves to the entity tag that the store answered
 * @throws what `make` failed with, and as `makeSure`
 */
export async function makeObject(
  store: ObjectStore,
  object: Omit<SentObject, 'entityTag'>,
  make: () => Promise<string | undefined>,
): Promise<void> {
  let entityTag: string | undefined;
  try {
    entityTag = await make();
  } catch (failure) {
    await makeSure(store, { ...object, entityTag: undefined }).catch(() => Promise.reject(failure));
    return;
  }
  await makeSure(store, { ...object, entityTag });
}
