export { ConfigError } from './config/config-error.ts';
export { type Config, parseConfig } from './config.ts';
export { createDeps, type Deps } from './create-deps.ts';
export { createApp } from './http/create-app.ts';
export type { HttpDeps } from './http/http-deps.ts';
export { StartError } from './http/listener/listen.ts';
export { createLogger } from './logging/create-logger.ts';
export { type RunningServer, startServer } from './start-server.ts';
