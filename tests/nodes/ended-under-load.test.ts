import { describe } from 'node:test';
import { chosenBackEnd } from '../support/back-end.ts';
import { endedUnderLoad } from '../support/ended-under-load.ts';
import { useTwoNodes } from '../support/nodes.ts';

const nodes = await useTwoNodes();
// On PostgreSQL each node has one thread.
const withThreads = chosenBackEnd() === 'sqlite-disk' ? await useTwoNodes({ STOA_HTTP_THREADS: '3' }) : null;

describe('nodes of one thread', () => endedUnderLoad(nodes));
if (withThreads !== null) describe('nodes of three threads', () => endedUnderLoad(withThreads));
