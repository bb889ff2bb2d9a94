/** Formats an article for LinkedIn: a short text and a card that links to it. Pure. */
import { cutAtWord } from '../../article/describe/cut-text.ts';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { dropCover, refuseCanonical, refuseUntitled } from '../format/notices.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { mapTags, spellSigns } from '../format/tags.ts';
import { isWebAddress, readCover } from '../format/web-address.ts';
import type { Formatted, RefusalNotice } from '../types.ts';
import { DESCRIPTION_LENGTH, HASHTAG_LENGTH, LABEL, limits, TEXT_LENGTH } from './limits.ts';
import { escapeLittleText } from './little-text.ts';

/**
 * The body of the request without its author, and the cover for `prepare`. LinkedIn recognises a
 * repeat by its bytes, so no field depends on when or how often the request is sent.
 */
export interface LinkedinPayload {
  /** Address of the card's image, until `prepare` has uploaded it. */
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

export function formatArticle(article: DeliverableArticle): Formatted<LinkedinPayload> {
  const title = toPlainLine(article.title);
  const excerpt = toPlainLine(article.excerpt);
  const tags = mapTags(article.tags, {
    label: LABEL,
    max: limits.tags,
    maxLength: HASHTAG_LENGTH,
    spell: spellHashtag,
  });
  const hashtags = tags.tags.map(({ tag }) => tag);
  const words = writeCommentary(title, excerpt, hashtags);
  const description = cutAtWord(excerpt, DESCRIPTION_LENGTH);
  const cover = readCover(article);
  const payload: LinkedinPayload = {
    cover,
    commentary: words.commentary,
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    content: {
      // LinkedIn does not read the page, so the card contains all that is shown.
      article: {
        source: article.canonicalUrl,
        title: cutAtWord(title, limits.titleLength),
        ...(description === '' ? {} : { description }),
      },
    },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  };
  return {
    payload,
    losses: [
      ...findTitleLoss(title),
      ...tags.losses,
      ...words.losses,
      ...(article.coverImage === cover ? [] : [dropCover(LABEL)]),
    ],
    refusal: findRefusal(article, title),
  };
}

/** Title, excerpt and hashtags as paragraphs. The excerpt is cut first. */
function writeCommentary(
  title: string,
  excerpt: string,
  hashtags: readonly string[],
): { commentary: string; losses: Notice[] } {
  const tail = hashtags.length === 0 ? '' : `\n\n${hashtags.map((hashtag) => `#${hashtag}`).join(' ')}`;
  const head = escapeLittleText(title, TEXT_LENGTH - tail.length);
  const maxExcerptLength = TEXT_LENGTH - tail.length - head.text.length - 2;
  const isShown = excerpt !== '' && excerpt !== title;
  const middle = isShown ? escapeLittleText(excerpt, maxExcerptLength) : { text: '', isCut: false };
  const message = `${LABEL} accepts at most ${TEXT_LENGTH} characters including escapes, so the excerpt is cut.`;
  return {
    commentary: head.text + (middle.text === '' ? '' : `\n\n${middle.text}`) + tail,
    losses: head.isCut || middle.isCut ? [{ code: 'text_cut', message, path: 'excerpt' }] : [],
  };
}

function findTitleLoss(title: string): Notice[] {
  if (title.length <= limits.titleLength) return [];
  const message = `The card on ${LABEL} shows at most ${limits.titleLength} characters of the title.`;
  return [{ code: 'title_cut', message, path: 'title' }];
}

function findRefusal(article: DeliverableArticle, title: string): RefusalNotice | null {
  if (title === '') return refuseUntitled(LABEL);
  return isWebAddress(article.canonicalUrl) ? null : refuseCanonical(LABEL);
}

/** Letters and digits in one word. Combining marks without a letter belong to an emoji. */
function spellHashtag(name: string): string {
  return spellSigns(name)
    .normalize('NFC')
    .replace(/(?<![\p{L}\p{M}])\p{M}+|[^\p{L}\p{N}\p{M}]+/gu, '');
}
