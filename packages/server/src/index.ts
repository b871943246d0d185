export { ConfigError } from './config/config-error.ts';
export { type Config, parseConfig } from './config/parse-config.ts';
export { createDeps, type Deps } from './create-deps.ts';
export { createApp } from './http/create-app.ts';
export type { HttpDeps } from './http/http-deps.ts';
export { openLog } from './logging/open-log.ts';
export { StartError } from './start/start-error.ts';
export { type RunningServer, startServer } from './start-server.ts';
