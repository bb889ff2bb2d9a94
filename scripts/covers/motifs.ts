/** Motifs of the example covers: plain shapes at pseudo-random positions, the same in each run. */
import type { Palette } from './palettes.ts';

export const WIDTH = 1200;
export const HEIGHT = 675;

/** Returns numbers in [0, 1). */
export type Chance = () => number;
export type Motif = (palette: Palette, chance: Chance) => string;

/** Each motif returns SVG elements, to be drawn on a background. */
export const MOTIFS = { tiles, ripples, waves, tracks, halftone, sheets } satisfies Record<string, Motif>;

/** Squares with quarter and half circles. */
function tiles({ colours }: Palette, chance: Chance): string {
  const size = 135;
  const shapes: string[] = [];
  for (let y = 0; y < HEIGHT; y += size) {
    for (let x = -size / 2; x < WIDTH; x += size) {
      if (chance() < 0.22) continue;
      const turn = Math.floor(chance() * 4) * 90;
      const fill = pick(colours, chance);
      const middle = size / 2;
      const arc = `A${middle} ${middle} 0 0`;
      const kind = chance();
      const quarter = `<path d="M0 0H${size}A${size} ${size} 0 0 1 0 ${size}Z" fill="${fill}"/>`;
      const halves = `<path d="M0 0${arc} 0 ${size} 0ZM0 ${size}${arc} 1 ${size} ${size}Z" fill="${fill}"/>`;
      const disc = `<circle cx="${middle}" cy="${middle}" r="38" fill="${fill}"/>`;
      const shape = kind < 0.6 ? quarter : kind < 0.85 ? halves : disc;
      shapes.push(`<g transform="translate(${x} ${y}) rotate(${turn} ${middle} ${middle})">${shape}</g>`);
    }
  }
  return shapes.join('');
}

/** Rings around two senders. */
function ripples({ colours: [near, far, dot] }: Palette, chance: Chance): string {
  const rings = (x: number, y: number, colour: string, count: number) => {
    const at = `cx="${round(x)}" cy="${round(y)}"`;
    const drawn = Array.from(
      { length: count },
      (_, ring) =>
        `<circle ${at} r="${70 + ring * 118}" fill="none" stroke="${colour}" stroke-width="${44 - ring * 4}"/>`,
    );
    return `${drawn.join('')}<circle ${at} r="28" fill="${dot}"/>`;
  };
  const behind = rings(900 + chance() * 120, 260 + chance() * 200, far, 4);
  return behind + rings(230 + chance() * 120, 220 + chance() * 200, near, 6);
}

/** Layers of hills, and a sun. */
function waves({ colours }: Palette, chance: Chance): string {
  const sun = `<circle cx="${round(820 + chance() * 180)}" cy="${round(170 + chance() * 60)}" r="105" fill="${colours[0]}"/>`;
  const hills = [1, 2, 3, 4].map((layer) => {
    const base = 210 + layer * 88;
    const [phase, length, height] = [chance() * 6, 0.0042 + chance() * 0.003, 62 - layer * 8];
    const points = Array.from({ length: 41 }, (_, index) => {
      const x = (index * WIDTH) / 40;
      return `${x} ${round(base + Math.sin(x * length + phase) * height + Math.sin(x * length * 2.3 + phase) * height * 0.35)}`;
    });
    return `<path d="M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z" fill="${colours[layer % colours.length]}"/>`;
  });
  return sun + hills.join('');
}

/** Rows of bars, like tasks in sequence. */
function tracks({ colours }: Palette, chance: Chance): string {
  const rows: string[] = [];
  for (let y = 58; y < HEIGHT - 40; y += 81) {
    let x = -40 - chance() * 160;
    while (x < WIDTH) {
      const length = 70 + Math.floor(chance() * 5) * 62;
      if (chance() < 0.82) {
        rows.push(
          `<rect x="${round(x)}" y="${y}" width="${length}" height="54" rx="27" fill="${pick(colours, chance)}"/>`,
        );
      }
      x += length + 24;
    }
  }
  return rows.join('');
}

/** Dots that grow towards a corner. */
function halftone({ colours }: Palette, chance: Chance): string {
  const [centreX, centreY] = [WIDTH * (0.25 + chance() * 0.5), HEIGHT * (0.2 + chance() * 0.6)];
  const step = 68;
  const dots: string[] = [];
  for (let row = 0; row * step <= HEIGHT + step; row++) {
    for (let column = 0; column * step <= WIDTH + step; column++) {
      const [x, y] = [column * step + (row % 2) * (step / 2), row * step];
      const far = Math.hypot(x - centreX, y - centreY) / 620;
      const radius = 31 * (0.5 + 0.5 * Math.cos(far * Math.PI * 2.2)) + 1.5;
      const colour = colours[far < 0.42 ? 0 : far < 0.95 ? 1 : 2];
      dots.push(`<circle cx="${x}" cy="${y}" r="${round(radius)}" fill="${colour}"/>`);
    }
  }
  return dots.join('');
}

/** Pages with lines of text, fanned out. */
function sheets({ colours, paper }: Palette, chance: Chance): string {
  const count = 4;
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = [150 + index * 205 + chance() * 30, 105 + chance() * 70];
    const fill = index === count - 1 ? paper : colours[index % colours.length];
    const ink = index === count - 1 ? colours[0] : paper;
    const lines = Array.from({ length: 7 }, (_, line) => {
      const [top, width] = [118 + line * 44, line === 6 ? 110 : 150 + Math.floor(chance() * 4) * 22];
      return `<rect x="42" y="${top}" width="${width}" height="14" rx="7" fill="${ink}" opacity=".75"/>`;
    });
    const title = `<rect x="42" y="52" width="170" height="32" rx="8" fill="${ink}"/>`;
    return `<g transform="translate(${round(x)} ${round(y)}) rotate(${round(-9 + index * 6)} 150 230)"><rect width="300" height="460" rx="18" fill="${fill}"/>${title}${lines.join('')}</g>`;
  }).join('');
}

function pick<T>(list: readonly T[], chance: Chance): T {
  return list[Math.floor(chance() * list.length)] as T;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
