/** OpenAPI, made from the routes' schemas and served at `/api/v1/openapi.json`. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ProblemSchema } from './errors/problem.ts';

/** Of a publish, the one route that is described with a body: one of the two names of its text. */
const ONE_TEXT = ['content', 'markdown'].map((name) => ({
  required: [name],
  properties: { [name]: { type: 'string', minLength: 1 } },
}));

export const openApiPlugin = fp(async (app: FastifyInstance, options: { baseUrl: string }) => {
  app.addSchema(ProblemSchema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Courant',
        version: '1.0.0',
        description: 'Publish Markdown, have it delivered to connected destinations, and hear what became of it.',
        license: { name: 'MIT' },
      },
      servers: [{ url: options.baseUrl }],
      components: {
        securitySchemes: {
          developerToken: { type: 'http', scheme: 'bearer', description: 'courant_ and 48 hexadecimal characters' },
          session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    // Said here and not to the validator, whose answer to a missing text would be harder to read than ours.
    transform: ({ schema, url }) => ({
      schema: schema?.body ? { ...schema, body: { ...schema.body, anyOf: ONE_TEXT } } : schema,
      url,
    }),
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
  });
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger());
});
