/**
 * The environment of picture tests: a source with a configurable feed and pictures, and its
 * imports.
 */
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Selectable } from 'kysely';
import { formatImageName, nameImage } from '../../../article/images/image-name.ts';
import type { DB } from '../../../store/db/types.ts';
import { makePng, PICTURES } from '../../store/images/files/pictures.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { eventually } from '../../support/eventually.ts';

export interface PictureWorld {
  world: DeliveryWorld;
  /** Address of the source. */
  url: string;
  /** Responses of the source by path; tests add to them. */
  files: Record<string, string | Buffer>;
  /** How many 503s a path sends before its response. */
  busy: Map<string, number>;
  /** The requested paths. */
  requestedPaths: string[];
  /** Sets the items of the feed. */
  list(items: string): void;
  writeItem(name: string, html: string): string;
  importAll(author: TestAuthor, images?: string): Promise<Item[]>;
  findArticle(item: Item | undefined): Promise<Selectable<DB['articles']>>;
  /** This site's origin, as in documents. */
  origin(): string;
  /** The names of the stored pictures. */
  listFiles(): Promise<string[]>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface Item {
  outcome: string;
  reason: string | null;
  warnings: { code: string; message: string }[];
  article: { id: string } | null;
}

export async function startPictureWorld(): Promise<PictureWorld> {
  const world = await startDeliveryWorld({ api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } } });
  const files: Record<string, string | Buffer> = { ...FILES };
  const requestedPaths: string[] = [];
  const busy = new Map<string, number>();
  let items = '';
  const source = createServer((request, response) => {
    const path = request.url ?? '/';
    requestedPaths.push(path);
    const remaining = busy.get(path) ?? 0;
    if (remaining > 0) {
      busy.set(path, remaining - 1);
      return response.writeHead(503).end();
    }
    if (path === '/broken.png') return response.writeHead(503).end();
    if (path === '/moved.png') return response.writeHead(302, { location: '/shared.png' }).end();
    if (path === '/to-metadata.png') return response.writeHead(302, { location: 'http://169.254.169.254/x.png' }).end();
    const body = path === '/feed' ? writeFeed(items) : files[path];
    return body === undefined
      ? response.writeHead(404).end()
      : response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;

  async function importAll(author: TestAuthor, images = 'COPY'): Promise<Item[]> {
    const ordered = await runGraphql(
      world.api,
      author.id,
      `mutation { importArticles(source: RSS, identifier: "${url}/feed", images: ${images}) { id } }`,
    );
    const query = `{ import(id: "${ordered.data.importArticles.id}") { state images items(first: 50) { edges { node { outcome reason warnings { code message } article { id } } } } } }`;
    return eventually(
      'the import to end',
      async () => {
        const { state, items: page } = (await runGraphql(world.api, author.id, query)).data.import;
        return state === 'RUNNING' ? null : page.edges.map(({ node }: { node: Item }) => node);
      },
      { withinMs: 60_000 },
    );
  }

  return {
    ...{ world, url, files, busy, requestedPaths, importAll },
    list: (written) => {
      items = written;
    },
    writeItem: (name, html) =>
      `<item><title>${name}</title><link>${url}/${name}</link><guid>${name}</guid><content:encoded><![CDATA[${html}]]></content:encoded></item>`,
    findArticle: (item) =>
      world.api.db
        .selectFrom('articles')
        .selectAll()
        .where('id', '=', item?.article?.id ?? '')
        .executeTakeFirstOrThrow(),
    origin: () => `http://localhost:${new URL(world.api.url).port}`,
    listFiles: async () =>
      (await readdir(join(world.api.home, 'images'), { recursive: true })).filter((name) => name.includes('.')),
    get: (path, headers = {}) => fetch(`${world.api.url}${path}`, { headers }),
    async close() {
      source.close().closeAllConnections();
      await world.close();
    },
  };
}

/** The path at which a picture is served. */
export const addressOf = (bytes: Buffer, type: 'png' | 'jpg' | 'gif') =>
  `/images/${formatImageName(nameImage(bytes, type))}`;

const FILES: Record<string, string | Buffer> = {
  '/shared.png': PICTURES.png,
  '/photo.jpg': PICTURES.jpg,
  '/late.gif': PICTURES.gif,
  '/vector.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  '/page.png': '<html><script>alert(1)</script>',
  '/huge.png': makePng('x'.repeat(11 * 1024 * 1024)),
};

function writeFeed(content: string): string {
  return `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>A blog</title>${content}</channel></rss>`;
}
