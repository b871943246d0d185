import { signUpStates } from '@stoa/core';
import { z } from 'zod';

export const signUpAnswer = z
  .object({
    signUp: z.enum(signUpStates).meta({
      description:
        'first: nobody has an account yet, and whoever comes first may make one. open: anybody may. invite: people with an invite. closed: nobody.',
    }),
    appUrl: z
      .string()
      .meta({ description: 'The address at which people use the app, without a trailing slash.' }),
    provider: z
      .object({
        name: z.string().meta({ description: 'What people call it.' }),
        signUp: z
          .enum(signUpStates)
          .meta({ description: 'As `signUp`, for people who come by the provider.' }),
      })
      .meta({
        description: 'An OpenID Connect provider by which people may sign in too; absent without one.',
      })
      .optional(),
  })
  .meta({ id: 'SignUp' });
