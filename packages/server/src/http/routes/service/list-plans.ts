import { routes } from '@stoa/contract';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

/** The operator assigns plans; users cannot buy them. */
export const listPlansOperation = operation(routes.listPlans, ({ deps }) =>
  json(200, { available: false, plans: deps.plans }),
);
