import { openApiDocument, routes } from '@stoa/contract';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

const document = openApiDocument();

export const readOpenApiOperation = operation(routes.readOpenApi, () => json(200, document));
