import { signUpStates } from '@stoa/core';
import { z } from 'zod';

export const signUpResponse = z
  .object({
    signUp: z.enum(signUpStates).meta({
      description:
        'The sign-up policy. first: the first user, because there are no accounts yet. open: everyone. invite: people with an invite. closed: no one.',
    }),
    appUrl: z
      .string()
      .meta({ description: 'The address at which people use the app, without a trailing slash.' }),
    provider: z
      .object({
        name: z.string().meta({ description: 'Display name.' }),
        signUp: z.enum(signUpStates).meta({ description: 'As `signUp`, for people who use the provider.' }),
      })
      .meta({
        description: 'An OpenID Connect provider for sign-in; absent without one.',
      })
      .optional(),
  })
  .meta({ id: 'SignUp' });
