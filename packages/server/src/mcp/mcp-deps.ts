import type { ServiceDeps } from '../service/service-deps.ts';

/** Dependencies of the tools. Addresses have no trailing slash. */
export interface McpDeps {
  readonly service: ServiceDeps;
  readonly baseUrl: string;
  readonly appUrl: string;
  /** Runs a tool within the trace of its request; null without tracing. */
  readonly traceTool: (<Result>(name: string, work: () => Promise<Result>) => Promise<Result>) | null;
}
