/** Serves the command-line package in this server's version, without a third party. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { matchVersion } from '../http-cache/preconditions.ts';

const PACKAGE = new URL('../../cli/dist/courant.tgz', import.meta.url);

export async function commandLineRoutes(app: FastifyInstance) {
  app.get('/cli/courant.tgz', async (request, reply) => {
    const bytes = await readPackage();
    // The package is missing if the command line was not built.
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
