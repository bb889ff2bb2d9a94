/**
 * Serves `/log` (performed actions), `/posts` (all posts) and `/faults` (reads and sets faults).
 */
import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from './context.ts';
import { listSandboxPosts } from './posts/list-posts.ts';

export function registerControl(app: FastifyInstance, { state, faults }: SandboxContext): void {
  app.get('/log', () => state.log());

  app.get('/posts', () => listSandboxPosts(state));

  app.get('/faults', () => faults.list());

  app.put('/faults', (request, reply) => {
    const errors = faults.replace(request.body);
    if (errors.length > 0) return reply.code(400).send({ errors });
    return faults.list();
  });
}
