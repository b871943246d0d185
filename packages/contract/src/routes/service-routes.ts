import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { health } from '../schemas/health.ts';
import { me } from '../schemas/me.ts';
import { planList } from '../schemas/plan.ts';
import { signUpResponse } from '../schemas/sign-up.ts';

export const readHealth = defineRoute({
  id: 'readHealth',
  method: 'GET',
  path: '/api/health',
  access: 'none',
  tag: 'Service',
  summary: 'Ask whether the service is up',
  responses: { 200: { description: 'It is.', body: health } },
  errors: ['overloaded', 'shutting_down'],
});

export const listPlans = defineRoute({
  id: 'listPlans',
  method: 'GET',
  path: '/api/plans',
  access: 'none',
  tag: 'Service',
  summary: "List the operator's plans",
  responses: { 200: { description: 'The plans.', body: planList } },
});

export const readSignUp = defineRoute({
  id: 'readSignUp',
  method: 'GET',
  path: '/api/sign-up',
  access: 'none',
  tag: 'Service',
  summary: 'Ask who may sign up',
  description: 'Reveals nothing about existing accounts, not even their number.',
  responses: {
    200: { description: 'The sign-up policy, and the address of the app.', body: signUpResponse },
  },
});

export const readMe = defineRoute({
  id: 'readMe',
  method: 'GET',
  path: '/api/me',
  access: 'caller',
  tag: 'Service',
  summary: 'Ask who you are',
  responses: { 200: { description: 'The person behind the credential.', body: me } },
});

export const readOpenApi = defineRoute({
  id: 'readOpenApi',
  method: 'GET',
  path: '/api/openapi.json',
  access: 'none',
  tag: 'Service',
  summary: 'Read this document',
  responses: {
    200: {
      description: 'OpenAPI 3.1.',
      body: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }),
    },
  },
});
