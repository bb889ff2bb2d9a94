/** Extracts the text of HTML, for titles and abstracts. */
import { toText } from 'hast-util-to-text';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { cleanLine } from '../../text/clean-text.ts';
import { closeSource } from './close-source.ts';

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

/** Returns one line. */
export function readPlainText(html: string): string {
  return cleanLine(/[<&]/.test(html) ? toText(parser.parse(closeSource(html).html)) : html);
}
