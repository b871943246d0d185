import { scripts } from '../../src/service/scripts.ts';
import { runWriter } from '../../src/storage/sqlite/run-writer.ts';
import { deleteKeysOfScript, disableKeyScript } from './test-scripts.ts';

// The server's own writer, and scripts for states that no use case makes yet.
runWriter([...scripts, deleteKeysOfScript, disableKeyScript]);
