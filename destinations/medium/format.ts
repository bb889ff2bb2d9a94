/** Formats an article for Medium: the payload, the losses and any refusal. Pure. */
import { toHtml } from 'hast-util-to-html';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { cutTitle } from '../format/cut-title.ts';
import { buildElement } from '../format/figure.ts';
import { listUnsupported, refuseCanonical, refuseEmpty, refuseUntitled } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { mapTags } from '../format/tags.ts';
import { isWebAddress, readCover } from '../format/web-address.ts';
import type { Formatted, RefusalNotice } from '../types.ts';
import { buildText, writeBody } from './body.ts';
import { LABEL, limits, TAG_LENGTH } from './limits.ts';

/** The body of the request. */
export interface MediumPayload {
  title: string;
  contentFormat: 'html';
  content: string;
  tags: string[];
  canonicalUrl: string;
  publishStatus: 'public';
}

export function formatArticle(article: DeliverableArticle): Formatted<MediumPayload> {
  const title = toPlainLine(article.title);
  const tags = mapTags(article.tags, {
    label: LABEL,
    max: limits.tags,
    maxLength: TAG_LENGTH,
    spell: (name) => name,
  });
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
      title: cutTitle(title, limits.titleLength, LABEL).text,
      contentFormat: 'html',
      content,
      tags: tags.tags.map(({ tag }) => tag),
      canonicalUrl: article.canonicalUrl,
      publishStatus: 'public',
    },
    losses: [...findTitleLoss(title), ...tags.losses, ...losses, ...listUnsupported(LABEL, article, cover)],
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

function findRefusal(article: DeliverableArticle, title: string): RefusalNotice | null {
  if (title === '') return refuseUntitled(LABEL);
  if (article.body.trim() === '') return refuseEmpty(LABEL);
  return isWebAddress(article.canonicalUrl) ? null : refuseCanonical(LABEL);
}
