/**
 * Starts the server with another web build: `serve-build.ts DIRECTORY`, with settings from the environment. It serves
 * the control of the case "web".
 */
import { openLog, parseConfig, startServer } from '@stoa/server';

const [directory = ''] = process.argv.slice(2);
const server = await startServer(
  parseConfig(process.env),
  openLog({ logLevel: 'warn', logFormat: 'json' }),
  (error) => {
    throw error;
  },
  { web: directory },
);
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
