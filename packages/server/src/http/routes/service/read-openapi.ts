import { openApiDocument, routes } from '@stoa/contract';
import { type Answer, constantJson } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

/** Built on first use, so that the server starts faster. */
let answer: Answer | null = null;

export const readOpenApiOperation = operation(routes.readOpenApi, () => {
  answer ??= constantJson(openApiDocument());
  return answer;
});
