/** Reads ids of headings: `## Set-up {#set-up}`. Links to it lead to the slug of the heading. */
import type { Heading } from 'mdast';
import type { Piece } from '../spans.ts';

const ID =
  /(?<=(?:^|\n)[ \t>]{0,20}#{1,6}[ \t][^\n]{0,500}?)[ \t]\{#([\w.:-]{1,100})(?:[ \t][^}\n]{0,100})?\}(?=[ \t]*#*[ \t]*(?:\n|$))/g;

export interface HeadingId extends Piece {
  id: string;
}

export function findHeadingIds(text: string): HeadingId[] {
  if (!text.includes('{#')) return [];
  return [...text.matchAll(ID)].map(({ 0: mark, 1: id = '', index }) => ({
    start: index,
    end: index + mark.length,
    id,
  }));
}

/** Call it for headings in source order. Removes ids of earlier headings from `ids`. */
export function setHeadingId(heading: Heading, body: string, ids: HeadingId[]): void {
  const start = heading.position?.start.offset ?? 0;
  while (ids[0] !== undefined && ids[0].start < start) ids.shift();
  const [next] = ids;
  if (next === undefined || body.slice(start, Math.min(next.start, start + 1_000)).includes('\n')) return;
  heading.data = { ...heading.data, hProperties: { ...heading.data?.hProperties, id: next.id } };
}
