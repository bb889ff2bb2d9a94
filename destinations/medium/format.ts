/** Formats an article for Medium: the payload, the losses and any refusal. Pure. */
import { toHtml } from 'hast-util-to-html';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { cutTitle } from '../format/cut-title.ts';
import { dropCover, dropToc, refuseCanonical, refuseEmpty, refuseUntitled } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { isWebAddress, readCover } from '../format/web-address.ts';
import type { Formatted } from '../types.ts';
import { buildElement, buildText, writeBody } from './body.ts';
import { LABEL, limits } from './limits.ts';
import { mapTags } from './tags.ts';

export interface MediumPayload {
  /** Set by `prepare`. */
  authorId: string | null;
  /** The body of the request. */
  post: {
    title: string;
    contentFormat: 'html';
    content: string;
    tags: string[];
    canonicalUrl: string;
    publishStatus: 'public';
  };
}

export function formatArticle(article: DeliverableArticle): Formatted<MediumPayload> {
  const title = toPlainLine(article.title);
  const tags = mapTags(article.tags);
  const hasCanonical = isWebAddress(article.canonicalUrl);
  const cover = readCover(article);
  const { body, losses } = writeBody(article);
  const content = toHtml({
    type: 'root',
    children: [
      // Medium does not show the request's title in the post.
      buildElement('h1', {}, [buildText(title)]),
      ...writeSubtitle(article),
      ...(cover === null ? [] : [buildElement('figure', {}, [buildElement('img', { src: cover }, [])])]),
      ...body,
      ...(hasCanonical ? writeAttribution(article.canonicalUrl) : []),
    ],
  });
  return {
    payload: {
      authorId: null,
      post: {
        title: cutTitle(title, limits.titleLength, LABEL).text,
        contentFormat: 'html',
        content,
        tags: tags.tags,
        canonicalUrl: article.canonicalUrl,
        publishStatus: 'public',
      },
    },
    losses: [...findTitleLoss(title), ...tags.losses, ...losses, ...listLosses(article, cover)],
    refusal: findRefusal(article, title),
  };
}

function writeSubtitle({ subtitle }: DeliverableArticle) {
  const line = toPlainLine(subtitle ?? '');
  return line === '' ? [] : [buildElement('h4', {}, [buildText(line)])];
}

/** Only this line identifies a post in the author's public feed. */
function writeAttribution(canonicalUrl: string) {
  const link = buildElement('a', { href: canonicalUrl }, [buildText(canonicalUrl)]);
  return [
    buildElement('p', {}, [buildElement('em', {}, [buildText('Originally published at '), link, buildText('.')])]),
  ];
}

function findTitleLoss(title: string): Notice[] {
  if ([...title].length <= limits.titleLength) return [];
  const message = `${LABEL} lists at most ${limits.titleLength} characters of a title; the post itself shows the full title.`;
  return [{ code: 'title_cut', message, path: 'title' }];
}

function listLosses(article: DeliverableArticle, cover: string | null): Notice[] {
  const losses: Notice[] = [];
  if (article.coverImage !== cover) losses.push(dropCover(LABEL));
  if (article.generateToc) losses.push(dropToc(LABEL));
  if (!article.commentsEnabled) {
    const message = `${LABEL} does not let programs close responses, so they stay open.`;
    losses.push({ code: 'comments_open', message, path: 'comments_enabled' });
  }
  return losses;
}

function findRefusal(article: DeliverableArticle, title: string): Notice | null {
  if (title === '') return refuseUntitled(LABEL);
  if (article.body.trim() === '') return refuseEmpty(LABEL);
  return isWebAddress(article.canonicalUrl) ? null : refuseCanonical(LABEL);
}
