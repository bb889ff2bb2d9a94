/** The environment of import tests: a worker, sources over HTTP, and helpers to run imports. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Selectable } from 'kysely';
import type { DB } from '../../../store/db/types.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { eventually } from '../../support/eventually.ts';

export interface ImportWorld {
  world: DeliveryWorld;
  /** Orders an import and returns its id. */
  order(author: TestAuthor, args: string): Promise<string>;
  read(author: TestAuthor, id: string): Promise<Report>;
  /** Orders an import, waits for its end and returns its report. */
  importFrom(author: TestAuthor, args: string): Promise<Report>;
  /** Starts a source and returns its address. */
  serve(listener: RequestListener): Promise<string>;
  findArticle(id: string | undefined): Promise<Selectable<DB['articles']>>;
  postToForem(key: string, article: object): Promise<{ id: number; url: string }>;
  close(): Promise<void>;
}

export interface Report {
  id: string;
  state: string;
  reason: string | null;
  counts: Record<'listed' | 'created' | 'present' | 'refused' | 'adopted' | 'waiting', number>;
  notices: { code: string; message: string }[];
  items: {
    edges: {
      node: {
        title: string;
        outcome: string;
        code: string | null;
        reason: string | null;
        adopted: boolean;
        warnings: { code: string }[];
        article: { id: string; slug: string; status: string } | null;
      };
    }[];
  };
}

const REPORT = `{ import(id: "ID") { id state reason counts { listed created present refused adopted waiting } notices { code message }
  items(first: 100) { edges { node { title outcome code reason adopted warnings { code } article { id slug status } } } } } }`;

export async function startImportWorld(): Promise<ImportWorld> {
  const world = await startDeliveryWorld({ api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } } });
  const servers: Server[] = [];

  async function order(author: TestAuthor, args: string): Promise<string> {
    const answer = await runGraphql(world.api, author.id, `mutation { importArticles(${args}) { id } }`);
    assert.equal(answer.code, undefined, answer.text);
    return answer.data.importArticles.id;
  }

  async function read(author: TestAuthor, id: string): Promise<Report> {
    const answer = await runGraphql(world.api, author.id, REPORT.replace('ID', id));
    assert.equal(answer.code, undefined, answer.text);
    return answer.data.import;
  }

  async function importFrom(author: TestAuthor, args: string): Promise<Report> {
    const id = await order(author, args);
    return eventually(
      'the import to end',
      async () => {
        const report = await read(author, id);
        return report.state === 'RUNNING' ? null : report;
      },
      { withinMs: 40_000 },
    );
  }

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function postToForem(key: string, article: object): Promise<{ id: number; url: string }> {
    const response = await fetch(`${world.sandboxUrl}/forem/api/articles`, {
      method: 'POST',
      headers: { 'api-key': key, 'content-type': 'application/json', 'user-agent': 'test' },
      body: JSON.stringify({ article: { published: true, ...article } }),
    });
    assert.equal(response.status, 201, await response.clone().text());
    return (await response.json()) as { id: number; url: string };
  }

  return {
    ...{ world, order, read, importFrom, serve, postToForem },
    findArticle: (id) =>
      world.api.db
        .selectFrom('articles')
        .selectAll()
        .where('id', '=', id ?? '')
        .executeTakeFirstOrThrow(),
    async close() {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve).closeAllConnections())));
      await world.close();
    },
  };
}

export const outcomes = ({ items }: Report) => items.edges.map(({ node }) => node.outcome);

export function writeFeed(items: string, more = ''): string {
  return `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>A blog</title>${more}${items}</channel></rss>`;
}

export function writeItem(number: number, more = ''): string {
  const day = new Date(Date.UTC(2020, 0, number)).toUTCString();
  return `<item><title>Post ${number}</title><link>https://blog.example/post-${number}</link><guid>${number}</guid><pubDate>${day}</pubDate>
    <content:encoded><![CDATA[<p>Text of <b>post</b> ${number}, <a href="/about">about</a>.</p>]]></content:encoded>${more}</item>`;
}
