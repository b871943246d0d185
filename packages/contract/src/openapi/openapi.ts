import type { RouteDescriptor, RouteTag } from '../route.ts';
import { routes } from '../routes/routes.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi-types.ts';
import { operationOf } from './operation.ts';
import { createSchemaComponents } from './schema-components.ts';

/** The version of the interface that the document describes. */
export const interfaceVersion = '1.0.0';

const tagTexts: Readonly<Record<RouteTag, string>> = {
  Files:
    'Files are bytes at a path, with a version. A write names the version it replaces; one that comes too late is kept beside the file.',
  History: 'Earlier versions, which can be read and restored.',
  Search: 'Finding files and folders by name.',
  'Change feed': 'Every change, in order. There are no webhooks: clients poll.',
  Folders: 'What folders and files have beside their bytes: an icon, a place in the order, privacy.',
  Comments: 'Threads on passages of markdown files, which follow the text. They are not files.',
  Workspaces: 'A workspace holds files and has members.',
  Members: 'Who belongs to a workspace, in which role, and by which links others may join.',
  Sharing: 'Links by which a file or a folder can be opened, by members or by anybody.',
  Keys: 'API keys of the person who is signed in.',
  'Device flow': 'How a program that has no key gets one: a person compares a code and approves.',
  Service: 'The service itself.',
};

const description = [
  'A shared file workspace for people and automated agents.',
  'Send an API key in the `x-api-key` header; `Authorization: Bearer` is not read.',
  'Errors are JSON with `statusCode`, `statusMessage` and sometimes `data`; conflicts and limits have bodies of their own.',
].join('\n\n');

/**
 * The OpenAPI 3.1 document of the REST interface.
 *
 * @param serverUrl the base address of the service; relative to the document by default.
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
          description: 'Set by signing in. On https its name begins with __Host-.',
        },
      },
    },
  };
}
