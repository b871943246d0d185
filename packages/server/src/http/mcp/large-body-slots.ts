import { createSlots, type Slots } from '../../service/slots.ts';

/** Large bodies held at once, of everybody and of one person: a slow line must not stop the others. */
const heldMax = 8;
const heldOfOneMax = 2;

/** Turns for bodies that are held in memory whole. */
export interface LargeBodySlots {
  /** @returns what ends the turn, to be called once. @throws WorkspaceError `overloaded` */
  take(userId: string): Promise<() => void>;
}

export function createLargeBodySlots(): LargeBodySlots {
  const all = createSlots(heldMax);
  const ofOne = new Map<string, { readonly slots: Slots; users: number }>();
  return {
    async take(userId) {
      const own = ofOne.get(userId) ?? { slots: createSlots(heldOfOneMax), users: 0 };
      ofOne.set(userId, own);
      own.users += 1;
      const leave = () => {
        own.users -= 1;
        if (own.users === 0) ofOne.delete(userId);
      };
      try {
        const giveOwn = await own.slots.take();
        try {
          const giveAll = await all.take();
          return () => {
            giveAll();
            giveOwn();
            leave();
          };
        } catch (error) {
          giveOwn();
          throw error;
        }
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
