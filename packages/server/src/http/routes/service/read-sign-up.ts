import { routes } from '@stoa/contract';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const readSignUpOperation = operation(routes.readSignUp, async ({ deps }) => {
  const provider = await deps.auth.readProvider();
  return json(200, {
    signUp: await deps.auth.readSignUp(),
    appUrl: deps.appUrl,
    ...(provider !== null && { provider }),
  });
});
