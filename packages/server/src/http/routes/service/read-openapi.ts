import { openApiDocument, routes } from '@stoa/contract';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

/** Made when it is first asked for: every start would wait for it. */
let document: ReturnType<typeof openApiDocument> | null = null;

export const readOpenApiOperation = operation(routes.readOpenApi, () => {
  document ??= openApiDocument();
  return json(200, document);
});
