/** Serves the card that social networks show with a link. Its path has a hash of its content. */
import { readFile } from 'node:fs/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { buildCardPath, type Card, describeCard, hashCard, readCardName } from '../../../article/cards/card.ts';
import type { ApiDeps } from '../../deps.ts';
import { FOR_ANY_ORIGIN } from '../../http-cache/headers.ts';
import type { PublicResponder } from '../../http-cache/public-responder.ts';
import type { PermanentRedirect, PublicResponse } from '../../http-cache/public-response.ts';
import { createAbsenceProblem } from '../page/absence.ts';
import { findArticle } from '../page/find-article.ts';
import { createCardPictures } from './card-pictures.ts';

const PNG_TYPE = 'image/png';
/** A picture never changes at its address, but expires daily in case of a withdrawal. */
const FOR_A_DAY = { 'cache-control': 'public, max-age=86400, immutable', ...FOR_ANY_ORIGIN } as const;

export async function cardRoutes(fastify: FastifyInstance, deps: ApiDeps & { responder: PublicResponder }) {
  const { responder, config } = deps;
  const pictures = createCardPictures(deps);
  fastify.addHook('onClose', () => pictures.close());

  const schema = { hide: true, params: Type.Object({ name: Type.String() }) };
  fastify.withTypeProvider<TypeBoxTypeProvider>().get('/cards/:name', { schema }, (request, reply) => {
    const requested = readCardName(request.params.name);
    if (!requested) throw createAbsenceProblem({ kind: 'nothing' });
    return responder.send(request, reply, {
      key: buildCardPath(requested.slug, requested.hash),
      make: () => buildResponse(requested.slug, requested.hash),
    });
  });

  async function buildResponse(slug: string, hash: string): Promise<PublicResponse | PermanentRedirect> {
    const found = await findArticle(deps, slug, { whenUnderived: 'show' });
    if (found.kind === 'moved') {
      const target = await findArticle(deps, found.slug, { whenUnderived: 'show' });
      if (target.kind !== 'article') throw createAbsenceProblem(target);
      return redirect(found.slug, describeCard(target.article, config.baseUrl));
    }
    if (found.kind !== 'article') throw createAbsenceProblem(found);
    const { article, articleId, lastModified } = found;
    const card = describeCard(article, config.baseUrl);
    if (hashCard(card) !== hash) return redirect(slug, card);
    const body = await pictures.get(card);
    if (body === null) {
      return { status: 200, type: PNG_TYPE, body: await readDefaultCard(), lastModified: null, cacheTags: [] };
    }
    const changed = lastModified ?? article.updatedAt;
    const cacheTags = [`article:${articleId}`] as const;
    return { status: 200, type: PNG_TYPE, body, headers: FOR_A_DAY, lastModified: changed, cacheTags };
  }

  /** Without cache tags, so not cached: a client can invent any number of former addresses. */
  function redirect(slug: string, card: Card): PermanentRedirect {
    return { status: 301, location: `${config.baseUrl}${buildCardPath(slug, hashCard(card))}`, cacheTags: [] };
  }
}

/** Reads the fallback picture, which this code drew once. */
function readDefaultCard(): Promise<Buffer> {
  return readFile(new URL('./default-card.png', import.meta.url));
}
