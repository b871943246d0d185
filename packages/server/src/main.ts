import { ConfigError } from './config/config-error.ts';
import { type Config, readConfig } from './config/parse-config.ts';
import { settingsHelp } from './config/settings-help.ts';
import { createLogger } from './logging/create-logger.ts';
import { StartError } from './start/start-error.ts';
import { type RunningServer, startServer } from './start-server.ts';

const exitCodes = { refused: 1, usage: 2 } as const;

if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
  process.stdout.write(settingsHelp());
} else {
  await main();
}

async function main(): Promise<void> {
  // Files made from here on are for this account alone, wherever the data directory came from.
  process.umask(0o077);
  const config = configOrExit();
  const logger = createLogger(config.logLevel);
  const onFatal = (error: unknown) => {
    logger.fatal(
      { err: error },
      'the storage failed: stopping, so that nothing is acknowledged that is not kept',
    );
    process.exit(exitCodes.refused);
  };
  let server: RunningServer;
  try {
    server = await startServer(config, logger, onFatal);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return exitWith(exitCodes.refused, error.message);
  }
  stopOnSignal(server);
  greet(server);
}

function configOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return exitWith(exitCodes.usage, ['Stoa cannot start:', ...error.problems].join('\n  '));
  }
}

function stopOnSignal(server: RunningServer): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) exitWith(exitCodes.refused, `Stopped at once by a second ${signal}.`);
    stopping = true;
    process.stderr.write(
      `${signal}: answering what was accepted, then stopping. Once more to stop at once.\n`,
    );
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => exitWith(exitCodes.refused, `The server did not stop cleanly: ${String(error)}`),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Written at once, so that it is not torn apart by the log. */
function greet({ config, isEmpty }: RunningServer): void {
  const where = `\nStoa is at ${config.baseUrl} (listening on ${config.host}:${config.port})\n`;
  process.stderr.write(isEmpty ? where + firstSteps(config) : where);
}

function firstSteps({ baseUrl, signup }: Config): string {
  const example = '{"name":"Ada","email":"ada@example.org","password":"a long password"}';
  const bySignUp = `  curl -c stoa.cookies ${baseUrl}/api/auth/sign-up/email --json '${example}'\nor, on this machine,\n`;
  const byOperator = '  npm run admin -- user create --email ada@example.org --name Ada\n\n';
  return `\nThere is no account yet. Make the first one:\n${signup === 'closed' ? '' : bySignUp}${byOperator}`;
}

function exitWith(code: number, text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}
