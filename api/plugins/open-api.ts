/** Serves OpenAPI at `/api/v1/openapi.json`, generated from the schemas of the routes with a `summary`. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ProblemSchema } from './errors/problem.ts';

/** A publish, the only route documented with a body, requires `content` or its alias `markdown`. */
const REQUIRED_TEXT = ['content', 'markdown'].map((name) => ({
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
        description:
          'Publish Markdown, deliver it to connected destinations, and receive notifications about the results.',
        license: { name: 'MIT' },
      },
      servers: [{ url: options.baseUrl }],
      components: {
        securitySchemes: {
          developerToken: {
            type: 'http',
            scheme: 'bearer',
            description: '`courant_` followed by 48 hexadecimal characters',
          },
          session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    // Only routes with a summary are documented: others serve pages, their forms and files.
    transform: ({ schema, url }) => ({
      schema: {
        ...schema,
        hide: schema?.summary === undefined,
        // Documented but not validated: the validator's message for a missing text is hard to read.
        ...(schema?.body ? { body: { ...schema.body, anyOf: REQUIRED_TEXT } } : {}),
      },
      url,
    }),
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
  });
  app.get('/api/v1/openapi.json', async () => app.swagger());
});
