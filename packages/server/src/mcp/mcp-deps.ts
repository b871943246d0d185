import type { ServiceDeps } from '../service/service-deps.ts';

/** What the tools are given. Addresses have no trailing slash. */
export interface McpDeps {
  readonly service: ServiceDeps;
  readonly baseUrl: string;
  readonly appUrl: string;
  /** Runs a tool so that it is seen in the trace of its request; null where nobody traces. */
  readonly traceTool: (<Result>(name: string, work: () => Promise<Result>) => Promise<Result>) | null;
}
