import { createMemoryStateStore } from '../simulated/memory-state-store.ts';
import { stateStoreSuite } from './state-store-suite.ts';

stateStoreSuite('state store in memory', async () => {
  const store = createMemoryStateStore();
  return {
    store,
    reopen: async () => store.crash('process'),
    [Symbol.asyncDispose]: async () => {},
  };
});
