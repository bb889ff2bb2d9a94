/** The floor: a bare Fastify route with one `insert … returning`, on the pool settings of the API. */
import { fastify } from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
await pool.query(
  'create table if not exists bench_floor (id bigint generated always as identity, title text, body text)',
);
const app = fastify();
app.post('/', async (request) => {
  const { title, body } = request.body as { title: string; body: string };
  const { rows } = await pool.query('insert into bench_floor (title, body) values ($1, $2) returning id', [
    title,
    body,
  ]);
  return rows[0];
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.on('SIGTERM', () => process.exit(0));
