/**
 * The baseline: a bare Fastify route with one `insert … returning` and the pool settings of the
 * API. Before the insert, `/parsed` parses with bare remark, `/parsed-gfm` with GFM, and `/read`
 * reads and renders like a publish in a thread.
 */
import { fastify } from 'fastify';
import pg from 'pg';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { createDocumentPool } from '../../api/documents/pool.ts';

const remark = unified().use(remarkParse).freeze();
const gfm = unified().use(remarkParse).use(remarkGfm).freeze();

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
await pool.query(
  'create table if not exists bench_floor (id bigint generated always as identity, title text, body text)',
);
const app = fastify();

interface Article {
  title: string;
  body: string;
}

const insert = async ({ title, body }: Article) => {
  const { rows } = await pool.query('insert into bench_floor (title, body) values ($1, $2) returning id', [
    title,
    body,
  ]);
  return rows[0];
};
app.post('/', (request) => insert(request.body as Article));
for (const [path, processor] of [
  ['/parsed', remark],
  ['/parsed-gfm', gfm],
] as const) {
  app.post(path, (request) => {
    const article = request.body as Article;
    processor.parse(article.body);
    return insert(article);
  });
}
const documents = createDocumentPool();
app.post('/read', async (request) => {
  const article = request.body as Article;
  const content = `---\ntitle: ${article.title}\ntags: [bench, load]\n---\n\n${article.body}`;
  const input = { content, now: new Date() };
  const result = await documents.readAndRender('bench', { input, options: { siteOrigin: 'http://localhost' } });
  if (!result.ok) throw new Error('the document was refused');
  return insert(article);
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.on('SIGTERM', () => process.exit(0));
