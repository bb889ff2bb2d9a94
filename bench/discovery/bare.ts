/** A bare Fastify server that sends a buffer of the requested size, or a 304 for size 0. */
import { fastify } from 'fastify';

const app = fastify();
const buffers = new Map<number, Buffer>();
app.get<{ Params: { bytes: string } }>('/:bytes', (request, reply) => {
  const bytes = Number(request.params.bytes);
  if (bytes === 0) return reply.code(304).header('etag', '"bare"').send();
  const body = buffers.get(bytes) ?? Buffer.alloc(bytes, 'x');
  buffers.set(bytes, body);
  return reply.type('text/html; charset=utf-8').send(body);
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
