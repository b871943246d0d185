import type { RouteDescriptor, RouteTag } from '../route.ts';
import { routes } from '../routes/routes.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi-types.ts';
import { operationOf } from './operation.ts';
import { createSchemaComponents } from './schema-components.ts';

/** The version of the interface that the document describes. */
export const interfaceVersion = '1.0.0';

const tagTexts: Readonly<Record<RouteTag, string>> = {
  Files:
    'Files are bytes at a path, with a version. A write names the version it replaces; a stale write is kept in a new file next to it.',
  History: 'Earlier versions, which can be read and restored.',
  Search: 'Find files and folders by name.',
  'Change feed': 'Every change, in order. There are no webhooks: clients poll.',
  Folders: 'Properties of files and folders: icon, position in the custom order, privacy.',
  Comments: 'Threads on passages of markdown files, which follow the text. They are not files.',
  Workspaces: 'A workspace holds files and has members.',
  Members: 'The members of a workspace, their roles, and invites to join it.',
  Sharing: 'Links that open a file or a folder, for members or for the public.',
  Keys: 'API keys of the signed-in user.',
  'Device flow': 'A program without a key gets one: the user compares a code and approves.',
  Service: 'The service itself.',
};

const description = [
  'A shared file workspace for people and automated agents.',
  'Send an API key in the `x-api-key` header; `Authorization: Bearer` is not read.',
  'Errors are JSON with `statusCode`, `statusMessage` and sometimes `data`; conflicts and limits have bodies of their own.',
].join('\n\n');

/**
 * Returns the OpenAPI 3.1 document of the REST interface.
 *
 * @param serverUrl the base address of the service; by default relative to the document
 */
export function openApiDocument(serverUrl = '/'): OpenApiDocument {
  const components = createSchemaComponents();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of Object.values<RouteDescriptor>(routes)) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(route, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stoa',
      version: interfaceVersion,
      description,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tagTexts).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas: components.collected(),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key, for all of your workspaces or for one.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'stoa.session_token',
          description:
            'Set by signing in. On https its name begins with __Host-. Where the address of the server has a port, the name holds an id of the installation: stoa-1a2b3c4d.session_token.',
        },
      },
    },
  };
}
