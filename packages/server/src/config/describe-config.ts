import type { Config } from '../config.ts';
import { variables } from './variables.ts';

/** The settings in force, by variable, for the start-up log. A password within an address was refused, and none is a secret. */
export function describeConfig(config: Config): Readonly<Record<string, string>> {
  const origins = config.trustProxy.length === 0 ? 'none' : config.trustProxy.join(',');
  return {
    [variables.host.name]: config.host,
    [variables.port.name]: String(config.port),
    [variables.dataDir.name]: config.dataDir,
    [variables.baseUrl.name]: config.baseUrl,
    [variables.appUrl.name]: config.appUrl,
    [variables.contentUrl.name]: config.contentUrl ?? 'none',
    [variables.signup.name]: config.signup,
    [variables.signinLimit.name]: String(config.signinLimit),
    [variables.plansFile.name]: config.plans.plans.map(({ id }) => id).join(','),
    [variables.maxFileBytes.name]: String(config.plans.maxFileBytes),
    [variables.seedWorkspaces.name]: String(config.seedWorkspaces),
    [variables.trustProxy.name]: origins,
    [variables.logLevel.name]: config.logLevel,
    [variables.metricsPort.name]: config.metricsPort === null ? 'off' : String(config.metricsPort),
  };
}
