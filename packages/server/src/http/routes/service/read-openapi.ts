import { openApiDocument, routes } from '@stoa/contract';
import { operation } from '../../operation.ts';
import { constantJson, type HttpResponse } from '../../responses/response.ts';

/** Built on first use, so that the server starts faster. */
let response: HttpResponse | null = null;

export const readOpenApiOperation = operation(routes.readOpenApi, () => {
  response ??= constantJson(openApiDocument());
  return response;
});
