import type { ServiceDeps } from '../service/service-deps.ts';

/** What the tools are given. Addresses have no trailing slash. */
export interface McpDeps {
  readonly service: ServiceDeps;
  readonly baseUrl: string;
  readonly appUrl: string;
}
