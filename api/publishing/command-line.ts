/** The command line as a package, for CI and for new machines: of the version that this server has, and from nobody else. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { matchVersion } from '../http-cache/preconditions.ts';

const PACKAGE = new URL('../../cli/dist/courant.tgz', import.meta.url);

export async function commandLineRoutes(app: FastifyInstance) {
  app.get('/cli/courant.tgz', { schema: { hide: true } }, async (request, reply) => {
    const bytes = await readPackage();
    // A server whose command line is not built offers none.
    if (bytes === null) return reply.callNotFound();
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    reply.headers({ etag, 'cache-control': 'public, max-age=300' });
    if (matchVersion(request.headers, { etag, lastModified: 0 })) return reply.code(304).send();
    return reply.type('application/gzip').send(bytes);
  });
}

async function readPackage(): Promise<Buffer | null> {
  try {
    return await readFile(PACKAGE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
