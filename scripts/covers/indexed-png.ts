/**
 * Writes a drawing with few colours as a PNG with a palette, which needs a third of the bytes of
 * true colours.
 */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MAX_COLOURS = 256;
/** Colours within this distance (of 255 per channel) count as one, which merges smoothed edges. */
const MIN_DISTANCE = 8;

/** `pixels` are opaque, with four bytes each. */
export function writeIndexedPng(pixels: Uint8Array, { width, height }: { width: number; height: number }): Buffer {
  const { palette, find } = choosePalette(pixels);
  // Each row starts with its filter number: none, which suits indexes best.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = find(readColour(pixels, y * width + x));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const colours = Buffer.from(palette.flatMap(split));
  const parts = [
    writeChunk('IHDR', header),
    writeChunk('PLTE', colours),
    writeChunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
  ];
  return Buffer.concat([SIGNATURE, ...parts, writeChunk('IEND', Buffer.alloc(0))]);
}

/** Uses the most frequent colours. All others are drawn in the nearest of these. */
function choosePalette(pixels: Uint8Array) {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length / 4; at++) {
    const colour = readColour(pixels, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette: number[] = [];
  for (const [colour] of [...counts].sort(([one, a], [other, b]) => b - a || one - other)) {
    if (palette.length === MAX_COLOURS) break;
    if (palette.every((other) => measureSquare(colour, other) > MIN_DISTANCE ** 2)) palette.push(colour);
  }
  const indexes = new Map<number, number>();
  const find = (colour: number) => {
    const index = indexes.get(colour) ?? findNearest(palette, colour);
    indexes.set(colour, index);
    return index;
  };
  return { palette, find };
}

function findNearest(palette: readonly number[], colour: number): number {
  let best = 0;
  for (const [index, other] of palette.entries()) {
    if (measureSquare(colour, other) < measureSquare(colour, palette[best] ?? 0)) best = index;
  }
  return best;
}

/** Returns the square of the distance. */
function measureSquare(one: number, other: number): number {
  const channels = split(other);
  return split(one).reduce((sum, channel, index) => sum + (channel - (channels[index] ?? 0)) ** 2, 0);
}

function readColour(pixels: Uint8Array, at: number): number {
  const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * at, 4 * at + 3);
  return (red << 16) | (green << 8) | blue;
}

function split(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function writeChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(named, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}
