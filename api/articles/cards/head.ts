/** Renders the picture metadata of an article's page: its cover image, or its card without one. */
import { buildCardPath, CARD_HEIGHT, CARD_WIDTH, describeCard, hashCard } from '../../../article/cards/card.ts';
import type { StoredArticle } from '../../../article/discovery/stored-article.ts';
import { type Html, html } from '../../web/html.ts';

export function renderPictureHead(article: StoredArticle, baseUrl: string): Html {
  const cardType = html`<meta name="twitter:card" content="summary_large_image">`;
  if (article.coverImage) {
    return html`<meta property="og:image" content="${article.coverImage}">
${cardType}`;
  }
  return html`<meta property="og:image" content="${buildPictureUrl(article, baseUrl)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${CARD_WIDTH}">
<meta property="og:image:height" content="${CARD_HEIGHT}">
<meta property="og:image:alt" content="${article.title}">
${cardType}`;
}

export function buildPictureUrl(article: StoredArticle, baseUrl: string): string {
  return article.coverImage ?? `${baseUrl}${buildCardPath(article.slug, hashCard(describeCard(article, baseUrl)))}`;
}
