import { routes } from '@stoa/contract';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

export const readSignUpOperation = operation(routes.readSignUp, async ({ deps }) => {
  const provider = await deps.auth.readProvider();
  return json(200, {
    signUp: await deps.auth.readSignUp(),
    appUrl: deps.appUrl,
    ...(provider !== null && { provider }),
  });
});
