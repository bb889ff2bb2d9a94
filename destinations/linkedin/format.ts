/** What LinkedIn is sent for an article: a few words and a card that links to it. Pure. */
import { cutAtWord } from '../../article/describe/cut-text.ts';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { isWebAddress } from '../canonical.ts';
import { plainLine } from '../http/reason.ts';
import type { Formatted } from '../types.ts';
import { linkedinHashtags } from './hashtags.ts';
import { LINKEDIN_DESCRIPTION_LENGTH, LINKEDIN_LABEL, LINKEDIN_TEXT_LENGTH, linkedinLimits } from './limits.ts';
import { escapeWithin } from './little-text.ts';

/**
 * The request's body and what it still needs. LinkedIn knows a repeat only by its bytes, so nothing in here depends on when or how often
 * it is sent.
 */
export interface LinkedinPayload {
  /** URN of the person or page; `prepare` fills it in. */
  author: string | null;
  /** Address of the card's image, until `prepare` has brought it there. */
  cover: string | null;
  commentary: string;
  visibility: 'PUBLIC';
  distribution: { feedDistribution: 'MAIN_FEED'; targetEntities: []; thirdPartyDistributionChannels: [] };
  content: {
    article: { source: string; title: string; description?: string | undefined; thumbnail?: string | undefined };
  };
  lifecycleState: 'PUBLISHED';
  isReshareDisabledByAuthor: false;
}

export function formatForLinkedin(article: DeliverableArticle): Formatted<LinkedinPayload> {
  const title = plainLine(article.title);
  const excerpt = plainLine(article.excerpt);
  const tags = linkedinHashtags(article.tags);
  const words = writeCommentary(title, excerpt, tags.hashtags);
  const description = cutAtWord(excerpt, LINKEDIN_DESCRIPTION_LENGTH);
  const hasCover = article.coverImage !== null && isWebAddress(article.coverImage);
  const payload: LinkedinPayload = {
    author: null,
    cover: hasCover ? article.coverImage : null,
    commentary: words.commentary,
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    content: {
      // The card is all that LinkedIn shows of the page: it does not read it.
      article: {
        source: article.canonicalUrl,
        title: cutAtWord(title, linkedinLimits.titleLength),
        ...(description === '' ? {} : { description }),
      },
    },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  };
  return {
    payload,
    losses: [...titleLost(title), ...tags.losses, ...words.losses, ...coverLost(article, hasCover)],
    refusal: findRefusal(article, title),
  };
}

/** Title, excerpt and hashtags in paragraphs; the excerpt gives way to the other two. */
function writeCommentary(
  title: string,
  excerpt: string,
  hashtags: readonly string[],
): { commentary: string; losses: Notice[] } {
  const tail = hashtags.length === 0 ? '' : `\n\n${hashtags.map((hashtag) => `#${hashtag}`).join(' ')}`;
  const head = escapeWithin(title, LINKEDIN_TEXT_LENGTH - tail.length);
  const room = LINKEDIN_TEXT_LENGTH - tail.length - head.text.length - 2;
  const isShown = excerpt !== '' && excerpt !== title;
  const middle = isShown ? escapeWithin(excerpt, room) : { text: '', isCut: false };
  const message = `${LINKEDIN_LABEL} takes at most ${LINKEDIN_TEXT_LENGTH} characters with its escapes, so the excerpt is cut there.`;
  return {
    commentary: head.text + (middle.text === '' ? '' : `\n\n${middle.text}`) + tail,
    losses: head.isCut || middle.isCut ? [{ code: 'text_cut', message, path: 'excerpt' }] : [],
  };
}

function titleLost(title: string): Notice[] {
  if (title.length <= linkedinLimits.titleLength) return [];
  const message = `The card on ${LINKEDIN_LABEL} shows at most ${linkedinLimits.titleLength} characters of the title.`;
  return [{ code: 'title_cut', message, path: 'title' }];
}

function coverLost({ coverImage }: DeliverableArticle, hasCover: boolean): Notice[] {
  if (coverImage === null || hasCover) return [];
  const message = `${LINKEDIN_LABEL} gets a cover only by its full web address.`;
  return [{ code: 'cover_dropped', message, path: 'cover_image' }];
}

function findRefusal(article: DeliverableArticle, title: string): Notice | null {
  if (title === '')
    return { code: 'title_missing', message: `${LINKEDIN_LABEL} takes no article without a title.`, path: 'title' };
  if (!isWebAddress(article.canonicalUrl)) {
    const message = `${LINKEDIN_LABEL} needs a canonical URL that is a web address.`;
    return { code: 'canonical_invalid', message, path: 'canonical_url' };
  }
  return null;
}
