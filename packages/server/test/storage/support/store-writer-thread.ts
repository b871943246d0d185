import { runWriter } from '../../../src/storage/sqlite/run-writer.ts';
import { storeScripts } from './store-scripts.ts';

runWriter(storeScripts);
