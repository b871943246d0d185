import { ConfigError } from './config/config-error.ts';
import { type Config, readConfig } from './config/parse-config.ts';
import { openLog } from './logging/open-log.ts';
import { StartError } from './start/start-error.ts';
import { type RunningServer, startServer } from './start-server.ts';

const exitCodes = { rejected: 1, usage: 2 } as const;

/** Runs the server as a program: settings from the environment, messages on standard error. */
export async function serve(): Promise<void> {
  // Files created from now on are readable by this account only, whatever the data directory allows.
  process.umask(0o077);
  const config = configOrExit();
  const logger = openLog(config);
  const onFatal = (error: unknown) => {
    logger.fatal(
      { err: error },
      'the storage failed: stopping, so that no change is acknowledged without being stored',
    );
    process.exit(exitCodes.rejected);
  };
  let server: RunningServer;
  try {
    server = await startServer(config, logger, onFatal);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return exitWith(exitCodes.rejected, error.message);
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
    if (stopping) exitWith(exitCodes.rejected, `Stopped at once by a second ${signal}.`);
    stopping = true;
    process.stderr.write(
      `${signal}: finishing accepted requests, then stopping. Send it again to stop immediately.\n`,
    );
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => exitWith(exitCodes.rejected, `The server did not stop cleanly: ${String(error)}`),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** One write, so that log lines cannot come in between. */
function greet({ config, isEmpty, hasWebApp }: RunningServer): void {
  const where = `\nStoa is at ${config.baseUrl} (listening on ${config.host}:${config.port})\n`;
  const steps = isEmpty ? firstSteps(config, hasWebApp) : hasWebApp ? openIn(config) : '';
  process.stderr.write(`${where}${steps}`);
}

function openIn({ baseUrl }: Config): string {
  return `Open ${new URL('/', baseUrl).href} in a browser.\n`;
}

function firstSteps(config: Config, hasWebApp: boolean): string {
  const byOperator = '  npm run admin -- user create --email ada@example.org --name Ada\n\n';
  if (config.signup === 'closed') return `\nNo account exists yet. Create the first one:\n${byOperator}`;
  const bySignUp = hasWebApp
    ? `  open ${new URL('/', config.baseUrl).href} in a browser\n`
    : signUpByCurl(config);
  return `\nNo account exists yet. Create the first one:\n${bySignUp}or, on this machine,\n${byOperator}`;
}

function signUpByCurl({ baseUrl }: Config): string {
  const example = '{"name":"Ada","email":"ada@example.org","password":"a long password"}';
  return `  curl -c stoa.cookies ${baseUrl}/api/auth/sign-up/email --json '${example}'\n`;
}

function exitWith(code: number, text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}
