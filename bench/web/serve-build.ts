/**
 * The server with another build than the app's: `serve-build.ts DIRECTORY`, settings from the environment. The control of
 * the case "web" is served so.
 */
import { createLogger, parseConfig, startServer } from '@stoa/server';

const [directory = ''] = process.argv.slice(2);
const server = await startServer(
  parseConfig(process.env),
  createLogger('warn'),
  (error) => {
    throw error;
  },
  { web: directory },
);
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
