import { routes } from '@stoa/contract';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

/** The operator assigns plans; users cannot buy them. */
export const listPlansOperation = operation(routes.listPlans, ({ deps }) =>
  json(200, { available: false, plans: deps.plans }),
);
