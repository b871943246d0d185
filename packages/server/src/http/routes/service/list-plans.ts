import { routes } from '@stoa/contract';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

/** Plans are the operator's to give: nothing can be bought here. */
export const listPlansOperation = operation(routes.listPlans, ({ deps }) =>
  json(200, { available: false, plans: deps.plans }),
);
