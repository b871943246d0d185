import { FakeServer } from './fake-server.ts';
import { fileServerSuite } from './file-server-suite.ts';

fileServerSuite('fake server', async () => {
  const server = new FakeServer();
  return {
    server,
    changes: async () => server.changes,
    [Symbol.asyncDispose]: async () => undefined,
  };
});
