/** Serves the page of an article and its Markdown alternate. */
import type { FastifyInstance } from 'fastify';
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import { findDescriptor } from '../../../destinations/registry.ts';
import { isWebAddress } from '../../../runtime/config/web-address.ts';
import type { Database } from '../../../store/db/database.ts';
import {
  findArticleSeries,
  listPublicCopies,
  listRelated,
  type PublicCopy,
} from '../../../store/lists/related-content.ts';
import { countReactions } from '../../../store/reactions/react.ts';
import type { PublicDeps } from '../../deps.ts';
import type { CacheTag, PermanentRedirect, PublicResponse } from '../../http-cache/public-response.ts';
import { type DiscussedArticle, findDiscussion } from '../../readers/comments/discussion.ts';
import { buildAbsentResponse, buildFormResponse, type Representation, servePages } from '../alternates/alternates.ts';
import { buildArticleMarkdownResponse } from '../alternates/article-markdown.ts';
import { listArticleLinks } from '../alternates/links.ts';
import { findArticle } from './find-article.ts';
import { renderArticlePage } from './page.ts';

export async function articlePageRoutes(app: FastifyInstance, deps: PublicDeps) {
  const { baseUrl } = deps.config;
  servePages(app, deps.responder, '', buildResponse);

  async function buildResponse(
    slug: string,
    representation: Representation,
  ): Promise<PublicResponse | PermanentRedirect> {
    const found = await findArticle(deps, slug, { whenUnderived: 'show' });
    switch (found.kind) {
      case 'article': {
        if (representation === 'markdown')
          return (await buildArticleMarkdownResponse(deps, found)) ?? buildAbsentResponse(representation, 410);
        const { article, articleId: id, profile, generateToc, comments } = found;
        // Related articles, copies and comments change independently of the article, so the page is
        // dated by when it is rendered.
        const lastModified = found.lastModified && deps.now();
        const { slug, tags, author } = article;
        const subject = { id, slug, tags, authorUsername: author.username, ...comments };
        const { around, cacheTags } = await loadArticleSurroundings(deps.db, subject);
        return buildFormResponse('page', {
          body: renderArticlePage(article, { ...around, author: profile }, { baseUrl, generateToc }),
          links: listArticleLinks(article, baseUrl),
          signal: article.contentSignal,
          lastModified,
          cacheTags,
        });
      }
      case 'moved':
        return {
          status: 301,
          location: buildArticleUrl(baseUrl, found.slug),
          cacheTags: [`article:${found.articleId}`],
        };
      case 'withdrawn':
        return buildAbsentResponse(representation, 410);
      case 'nothing':
        return buildAbsentResponse(representation);
    }
  }
}

const MAX_RELATED = 3;

async function loadArticleSurroundings(db: Database, article: DiscussedArticle & { tags: readonly string[] }) {
  const { id: articleId, tags } = article;
  const [series, copies, related, discussion, reactions] = await Promise.all([
    findArticleSeries(db, articleId),
    listPublicCopies(db, articleId),
    listRelated(db, { articleId, tags, limit: MAX_RELATED }),
    findDiscussion(db, article),
    countReactions(db, { articleId, viewerId: null }),
  ]);
  const cacheTags: CacheTag[] = [
    `article:${articleId}`,
    ...(series ? [`series:${series.id}` as const] : []),
    ...related.map(({ id }) => `article:${id}` as const),
  ];
  return { around: { series, copies: nameCopies(copies), related, discussion, reactions }, cacheTags };
}

/** Names public copies for readers: by platform, or by the host of a self-hosted site. */
function nameCopies(copies: readonly PublicCopy[]): { name: string; url: string }[] {
  return copies.flatMap(({ platform, url }) => {
    if (!isWebAddress(url)) return [];
    const { host } = new URL(url);
    return [{ name: findDescriptor(platform)?.nameCopy(host) ?? host, url }];
  });
}
