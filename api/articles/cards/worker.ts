/**
 * Worker thread that draws cards, one at a time: `satori` lays a card out as SVG, `resvg` renders
 * it. Neither makes a request.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import { CARD_HEIGHT, CARD_WIDTH, type Card } from '../../../article/cards/card.ts';
import { buildCardTree, fitsTitle, TITLE_KEY, TITLE_SIZES } from '../../../article/cards/card-tree.ts';
import type { InThread } from '../../../runtime/threads/pool.ts';
import { markTaskStarted } from '../../../runtime/threads/task-clock.ts';
import { chooseFonts } from './fonts.ts';

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** If the fonts cover a smaller share of the title's letters, the title is omitted. */
const MIN_COVERAGE = 0.7;

/** A combining mark may be reported missing only after its base letter is removed. */
const MAX_LAYOUTS = 4;

export interface CardTask {
  card: Card;
}

export default async function runTask({ card, begun }: InThread<CardTask>): Promise<Uint8Array> {
  markTaskStarted(begun);
  const picture = await drawCard(card);
  // resvg frees its 3 MB of pixels in an event loop iteration, which a busy thread never reaches by
  // itself. Without this line, a thousand cards took 3 GB.
  await nextTick();
  return picture;
}

/** Returns a PNG. Throws if letters without a font remain. */
export async function drawCard(card: Card): Promise<Uint8Array> {
  let shown = card;
  for (let layouts = 0; layouts < MAX_LAYOUTS; layouts++) {
    const { svg, missing } = await layOut(shown);
    if (missing.size === 0) return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
    shown = removeMissing(shown, missing);
    if (countLetters(shown.title) < MIN_COVERAGE * countLetters(card.title)) shown = { ...shown, title: '' };
  }
  throw new Error('no font covers all letters of this card');
}

interface Layout {
  svg: string;
  /** Graphemes that no font covers. Each would be drawn as a box. */
  missing: ReadonlySet<string>;
}

/** Uses the largest title size that fits. */
async function layOut(card: Card): Promise<Layout> {
  const { family, fonts } = await chooseFonts(card);
  const missing = new Set<string>();
  let svg = '';
  for (const titleSize of TITLE_SIZES) {
    let height = 0;
    // satori declares React's node type, but needs only this part of it.
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

function removeMissing(card: Card, missing: ReadonlySet<string>): Card {
  const isMissing = (grapheme: string) => missing.has(grapheme) || [...grapheme].some((point) => missing.has(point));
  const clean = (text: string) => {
    const covered = Array.from(GRAPHEMES.segment(text), ({ segment }) => segment).filter(
      (grapheme) => !isMissing(grapheme),
    );
    return covered.join('').replace(/ {2,}/g, ' ').trim();
  };
  const { title, author, tags } = card;
  return { ...card, title: clean(title), author: clean(author), tags: tags.map(clean).filter((tag) => tag !== '') };
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
