/** Draws a card: `satori` lays it out and turns its letters into paths, `resvg` makes the picture of them. Neither fetches anything. */
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import { CARD_HEIGHT, CARD_WIDTH, type Card } from '../../../article/cards/card.ts';
import { buildCardTree, fitsTitle, TITLE_KEY, TITLE_SIZES } from '../../../article/cards/card-tree.ts';
import { chooseFonts } from './fonts.ts';

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** A title of which less can be drawn is not drawn at all. */
const LEAST_SHOWN = 0.7;

/** A mark may be missed only once the letter that it stood on is gone. */
const MAX_LAYOUTS = 4;

/** A PNG. Throws where letters stay without a font. */
export async function drawCard(card: Card): Promise<Uint8Array> {
  let shown = card;
  for (let layouts = 0; layouts < MAX_LAYOUTS; layouts++) {
    const { svg, missing } = await layOut(shown);
    if (missing.size === 0) return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
    shown = leaveOut(shown, missing);
    if (countLetters(shown.title) < LEAST_SHOWN * countLetters(card.title)) shown = { ...shown, title: '' };
  }
  throw new Error('no font has all letters of this card');
}

interface Layout {
  svg: string;
  /** Graphemes of which no font has the letter: a box would be drawn for each. */
  missing: ReadonlySet<string>;
}

/** In the largest size in which the title fits. */
async function layOut(card: Card): Promise<Layout> {
  const { family, fonts } = await chooseFonts(card);
  const missing = new Set<string>();
  let svg = '';
  for (const titleSize of TITLE_SIZES) {
    let height = 0;
    // Its type is React's, of which it takes no more than this.
    const tree = buildCardTree(card, { titleSize, fontFamily: family }) as Parameters<typeof satori>[0];
    svg = await satori(tree, {
      width: CARD_WIDTH,
      height: CARD_HEIGHT,
      fonts,
      onNodeDetected(node) {
        if (node.key === TITLE_KEY) height = node.height;
      },
      async loadAdditionalAsset(_script, text) {
        for (const { segment } of GRAPHEMES.segment(text)) missing.add(segment);
        return [];
      },
    });
    if (missing.size > 0 || fitsTitle(card.title, { titleSize, height })) break;
  }
  return { svg, missing };
}

function leaveOut(card: Card, missing: ReadonlySet<string>): Card {
  const isMissing = (grapheme: string) => missing.has(grapheme) || [...grapheme].some((point) => missing.has(point));
  const clean = (text: string) => {
    const kept = Array.from(GRAPHEMES.segment(text), ({ segment }) => segment).filter((one) => !isMissing(one));
    return kept.join('').replace(/ {2,}/g, ' ').trim();
  };
  const { title, author, tags } = card;
  return { ...card, title: clean(title), author: clean(author), tags: tags.map(clean).filter((tag) => tag !== '') };
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
