/**
 * `npm run covers`: draws the example covers into `examples/covers/`. Each name gives the same
 * picture at every run.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { writeIndexedPng } from './covers/indexed-png.ts';
import { type Chance, HEIGHT, MOTIFS, WIDTH } from './covers/motifs.ts';
import { PALETTES } from './covers/palettes.ts';

const FOLDER = fileURLToPath(new URL('../examples/covers/', import.meta.url));

/**
 * By example file. `arabic-markdown` and `alt-text-draft` have no cover, which articles may omit.
 */
const COVERS: Record<string, [motif: keyof typeof MOTIFS, palette: keyof typeof PALETTES]> = {
  'first-post': ['sheets', 'night'],
  feeds: ['ripples', 'vermilion'],
  'pipeline-3-calendar': ['tiles', 'meadow'],
  'time-zones': ['waves', 'dusk'],
  'screen-readers': ['halftone', 'sky'],
  'server-sent-events': ['ripples', 'night'],
  'pipeline-2-checks': ['tiles', 'sky'],
  typografie: ['sheets', 'vermilion'],
  'sixty-six-characters': ['tracks', 'dusk'],
  'pipeline-1-one-repository': ['tiles', 'vermilion'],
  'skip-locked-queue': ['tracks', 'night'],
  explain: ['halftone', 'meadow'],
};

mkdirSync(FOLDER, { recursive: true });
for (const [name, [motif, colours]] of Object.entries(COVERS)) {
  const palette = PALETTES[colours];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><rect width="100%" height="100%" fill="${palette.ground}"/>${MOTIFS[motif](palette, createChance(name))}</svg>`;
  const drawn = new Resvg(svg, { fitTo: { mode: 'width', value: WIDTH }, font: { loadSystemFonts: false } }).render();
  const picture = writeIndexedPng(drawn.pixels, drawn);
  writeFileSync(`${FOLDER}${name}.png`, picture);
  process.stdout.write(`examples/covers/${name}.png, ${(picture.length / 1024).toFixed(0)} KB\n`);
}

/** Returns a pseudo-random generator that is seeded by the name. */
function createChance(name: string): Chance {
  let at = 0;
  return () => {
    const bytes = createHash('sha256').update(`${name} ${at++}`).digest();
    return bytes.readUInt32BE(0) / 2 ** 32;
  };
}
