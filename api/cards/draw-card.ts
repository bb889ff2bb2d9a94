/** Draws a card: `satori` lays it out and turns its letters into paths, `resvg` makes the picture of them. Neither fetches anything. */
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import { CARD_HEIGHT, CARD_WIDTH, type Card } from '../../article/cards/card.ts';
import { buildCardTree, fitsTitle, TITLE_KEY, TITLE_SIZES } from '../../article/cards/card-tree.ts';
import { chooseFonts } from './fonts.ts';

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** A title of which less can be drawn is not drawn at all. */
const LEAST_SHOWN = 0.7;

/** A PNG. */
export async function drawCard(card: Card): Promise<Uint8Array> {
  const first = await layOut(card);
  const svg = first.missing.size === 0 ? first.svg : (await layOut(leaveOut(card, first.missing))).svg;
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
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
  const clean = (text: string) => {
    const kept = [...GRAPHEMES.segment(text)].filter(({ segment }) => !missing.has(segment));
    return kept
      .map(({ segment }) => segment)
      .join('')
      .replace(/ {2,}/g, ' ')
      .trim();
  };
  const { title, author, tags } = card;
  const shown = clean(title);
  const isReadable = countLetters(shown) >= LEAST_SHOWN * countLetters(title);
  return {
    ...card,
    title: isReadable ? shown : '',
    author: clean(author),
    tags: tags.map(clean).filter((tag) => tag !== ''),
  };
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
