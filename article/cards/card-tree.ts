/** Builds a card as elements for `satori`. An author's text appears only as a text child. */
import { CARD_HEIGHT, CARD_WIDTH, type Card } from './card.ts';

export interface CardElement {
  type: 'div';
  key?: string;
  props: { style: Record<string, string | number>; children?: string | CardElement[] };
}

/** In pixels, largest first. The last size is used even if the title does not fit. */
export const TITLE_SIZES = [84, 72, 62, 54, 46] as const;
export const TITLE_KEY = 'title';

const LINE_HEIGHT = 1.16;
const MAX_LINES = 4;
const MAX_TITLE_HEIGHT = 350;

const PAPER = '#fdfdfb';
const INK = '#1c1c1a';
const SOFT = '#62625c';
const LINE = '#e2e2db';
const ACCENT = '#1a5fb4';
const MARGIN = 72;
const TITLE_WIDTH = CARD_WIDTH - 2 * MARGIN;
const SMALLEST = 46;
/** Average width of a letter as a share of the font size. */
const WIDTH_OF_LETTER = 0.58;
const MAY_BREAK = /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}-]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** True if the title fits the height, and its longest word the width, unless none would. */
export function fitsTitle(title: string, { titleSize, height }: { titleSize: number; height: number }): boolean {
  if (height > MAX_TITLE_HEIGHT || Math.round(height / (titleSize * LINE_HEIGHT)) > MAX_LINES) return false;
  const longest = Math.max(0, ...title.split(MAY_BREAK).map((word) => word.length));
  const width = (size: number) => longest * size * WIDTH_OF_LETTER;
  return width(titleSize) <= TITLE_WIDTH || width(SMALLEST) > TITLE_WIDTH;
}

export function buildCardTree(card: Card, options: { titleSize: number; fontFamily: string }): CardElement {
  const { titleSize, fontFamily } = options;
  const shown = card.title || card.author || card.site;
  const direction = isRightToLeft(shown) ? 'rtl' : 'ltr';
  const isLast = titleSize === SMALLEST;
  const title: CardElement = {
    type: 'div',
    key: TITLE_KEY,
    props: {
      style: {
        ...{ display: 'block', width: TITLE_WIDTH, color: INK },
        ...{ fontSize: titleSize, fontWeight: 700, lineHeight: LINE_HEIGHT, letterSpacing: '-0.02em' },
        wordBreak: 'break-word',
        // `lineClamp` and `textWrap: balance` together would cut off text that fits.
        ...(isLast ? { lineClamp: MAX_LINES } : { textWrap: 'balance' }),
        ...(direction === 'rtl' ? { letterSpacing: 0 } : {}),
      },
      children: shown,
    },
  };
  const frame = {
    ...{ width: CARD_WIDTH, height: CARD_HEIGHT, padding: `48px ${MARGIN}px`, boxSizing: 'border-box' },
    ...{ flexDirection: 'column', direction },
    ...{ justifyContent: 'space-between', background: PAPER, borderTop: `14px solid ${ACCENT}`, fontFamily },
  };
  return box(frame, [drawHead(card), box({ flexGrow: 1, alignItems: 'center' }, [title]), drawFoot(card)]);
}

function drawHead({ site, tags }: Card): CardElement {
  const labels = tags.map((tag) =>
    text(`#${tag}`, { color: SOFT, fontSize: 26, direction: isRightToLeft(tag) ? 'rtl' : 'ltr' }),
  );
  return box({ justifyContent: 'space-between', alignItems: 'center' }, [
    text(site, { color: ACCENT, fontSize: 34, fontWeight: 700 }),
    box({ gap: 24 }, labels),
  ]);
}

function drawFoot({ author, facts }: Card): CardElement {
  const initial = [...author][0]?.toUpperCase() ?? '';
  const disc = text(initial, {
    ...{ width: 64, height: 64, borderRadius: 32, background: ACCENT, color: PAPER, fontSize: 30, fontWeight: 700 },
    ...{ alignItems: 'center', justifyContent: 'center' },
  });
  return box({ alignItems: 'center', gap: 20, paddingTop: 28, borderTop: `2px solid ${LINE}` }, [
    disc,
    text(author, { color: INK, fontSize: 30, fontWeight: 700, flexGrow: 1 }),
    text(facts, { color: SOFT, fontSize: 28, direction: 'ltr' }),
  ]);
}

function box(style: CardElement['props']['style'], children: CardElement[]): CardElement {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } };
}

function text(content: string, style: CardElement['props']['style']): CardElement {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children: content } };
}

/** True if the first letter is Arabic or Hebrew, as browsers decide for `dir="auto"`. */
function isRightToLeft(title: string): boolean {
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(title)?.[0] ?? '');
}
