/**
 * A process that renders code in the languages it is given, in that order, and writes the HTML of each as JSON: what was
 * rendered before, and in what order, must make no difference.
 */

import { CODE } from './code-samples.ts';
import { derive } from './documents.ts';

const rendered: [string, string][] = [];
for (const language of process.argv.slice(2)) {
  const code = CODE[language];
  if (code === undefined) throw new Error(`no sample in ${language}`);
  const { html } = await derive(`~~~${language}\n${code}\n~~~\n`, 'title: Title', { highlight: true });
  rendered.push([language, html]);
}
process.stdout.write(JSON.stringify(rendered));
