import { routes } from '@stoa/contract';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

export const readHealthOperation = operation(routes.readHealth, ({ deps }) =>
  json(200, { status: 'ok', timestamp: new Date(deps.service.clock()).toISOString() }),
);
