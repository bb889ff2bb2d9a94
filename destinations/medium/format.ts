/** What Medium is sent for an article, what of it is lost there, and whether it would be refused. Pure. */
import { toHtml } from 'hast-util-to-html';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { isWebAddress } from '../canonical.ts';
import { cutTitle } from '../format/cut-title.ts';
import { renderBody } from '../format/render-body.ts';
import { plainLine } from '../http/reason.ts';
import type { Formatted } from '../types.ts';
import { bendForMedium, element, text } from './body.ts';
import { MEDIUM_LABEL, mediumLimits } from './limits.ts';
import { mediumTags } from './tags.ts';

export interface MediumPayload {
  /** Whose post it will be; `prepare` fills it in. */
  authorId: string | null;
  /** The request's body as it is. */
  post: {
    title: string;
    contentFormat: 'html';
    content: string;
    tags: string[];
    canonicalUrl: string;
    publishStatus: 'public';
  };
}

export function formatForMedium(article: DeliverableArticle): Formatted<MediumPayload> {
  const title = plainLine(article.title);
  const tags = mediumTags(article.tags);
  const hasCanonical = isWebAddress(article.canonicalUrl);
  const cover = article.coverImage !== null && isWebAddress(article.coverImage) ? article.coverImage : null;
  // Without a canonical URL the post is refused, and links into the page need none that is right.
  const body = bendForMedium(renderBody(article), hasCanonical ? article.canonicalUrl : 'https://localhost/');
  const content = toHtml({
    type: 'root',
    children: [
      // The title of the request is not shown in the post.
      element('h1', {}, [text(title)]),
      ...subtitleOf(article),
      ...(cover === null ? [] : [element('figure', {}, [element('img', { src: cover }, [])])]),
      ...body.children,
      ...(hasCanonical ? attribution(article.canonicalUrl) : []),
    ],
  });
  return {
    payload: {
      authorId: null,
      post: {
        title: cutTitle(title, mediumLimits.titleLength, MEDIUM_LABEL).text,
        contentFormat: 'html',
        content,
        tags: tags.tags,
        canonicalUrl: article.canonicalUrl,
        publishStatus: 'public',
      },
    },
    losses: [...titleLost(title), ...tags.losses, ...body.losses, ...settingsLost(article, cover !== null)],
    refusal: findRefusal(article, title),
  };
}

function subtitleOf({ subtitle }: DeliverableArticle) {
  const line = plainLine(subtitle ?? '');
  return line === '' ? [] : [element('h4', {}, [text(line)])];
}

/** The only thing by which a post is told apart in the author's public feed. */
function attribution(canonicalUrl: string) {
  const link = element('a', { href: canonicalUrl }, [text(canonicalUrl)]);
  return [element('p', {}, [element('em', {}, [text('Originally published at '), link, text('.')])])];
}

function titleLost(title: string): Notice[] {
  if ([...title].length <= mediumLimits.titleLength) return [];
  const message = `${MEDIUM_LABEL} lists titles of at most ${mediumLimits.titleLength} characters; the post itself shows it whole.`;
  return [{ code: 'title_cut', message, path: 'title' }];
}

function settingsLost(article: DeliverableArticle, hasCover: boolean): Notice[] {
  const lost = (code: string, message: string, path: string): Notice => ({ code, message, path });
  return [
    ...(article.coverImage !== null && !hasCover
      ? [lost('cover_dropped', `${MEDIUM_LABEL} takes a cover only by its full web address.`, 'cover_image')]
      : []),
    ...(article.generateToc ? [lost('toc_dropped', `${MEDIUM_LABEL} has no table of contents.`, 'generate_toc')] : []),
    ...(article.commentsEnabled
      ? []
      : [lost('comments_open', `${MEDIUM_LABEL} cannot be told to close responses.`, 'comments_enabled')]),
  ];
}

function findRefusal(article: DeliverableArticle, title: string): Notice | null {
  if (title === '')
    return { code: 'title_missing', message: `${MEDIUM_LABEL} takes no article without a title.`, path: 'title' };
  if (article.body.trim() === '')
    return { code: 'body_empty', message: `${MEDIUM_LABEL} takes no article without text.`, path: 'content' };
  if (!isWebAddress(article.canonicalUrl)) {
    const message = `${MEDIUM_LABEL} needs a canonical URL that is a web address.`;
    return { code: 'canonical_invalid', message, path: 'canonical_url' };
  }
  return null;
}
