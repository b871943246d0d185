import { createStore } from '../store/store.ts';

/** Whether who wrote what is shown beside texts: for all files, until the page is left. */
export const showsWriters = createStore(false);
