import type { RouteDescriptor } from '../route.ts';
import * as audit from './audit-routes.ts';
import * as change from './change-routes.ts';
import * as comment from './comment-routes.ts';
import * as device from './device-routes.ts';
import * as file from './file-routes.ts';
import * as history from './history-routes.ts';
import * as invite from './invite-routes.ts';
import * as key from './key-routes.ts';
import * as member from './member-routes.ts';
import * as node from './node-routes.ts';
import * as search from './search-routes.ts';
import * as service from './service-routes.ts';
import * as share from './share-routes.ts';
import * as workspace from './workspace-routes.ts';

/** Every route of the REST interface, by its id. Server, client and OpenAPI document share this table. */
export const routes = {
  ...service,
  ...workspace,
  ...member,
  ...audit,
  ...invite,
  ...key,
  ...device,
  ...file,
  ...node,
  ...history,
  ...search,
  ...comment,
  ...change,
  ...share,
} satisfies Readonly<Record<string, RouteDescriptor>>;

export type RouteId = keyof typeof routes;
