/**
 * Formats the digest as plain text: wrapped, with the same facts in the same order as the HTML.
 * Addresses have their own lines.
 */
import { wrapMailText } from '../wrap.ts';
import type { DigestView, Discussion, Figure } from './view.ts';

export function formatDigestText(view: DigestView): string {
  const blocks = [
    `COURANT · Your ${view.unit}\n${wrapMailText(`${view.dates} (${view.zone})`)}`,
    wrapMailText(`Hello ${view.name},`),
    wrapMailText(view.opening),
    [...view.reading, ...view.audience].map(formatFigure).join('\n'),
    view.newFollowers === '' ? '' : wrapMailText(`New followers: ${view.newFollowers}.`),
    formatSection('Open questions', view.pending.map(formatDiscussion)),
    formatSection(
      'Most read',
      view.articles.map(({ title, url, views, reactions }) =>
        formatEntry(title, [`${formatChange(views)}, ${formatChange(reactions)}`], url),
      ),
    ),
    formatSection('Active discussions', view.engaged.map(formatDiscussion)),
    [
      '--------',
      wrapMailText(`You receive this mail as @${view.username}, an author on Courant.`),
      `Your articles: ${view.siteUrl}`,
      `Change the frequency: ${view.settingsUrl}`,
      `Unsubscribe: ${view.unsubscribeUrl}`,
    ].join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const LABEL_WIDTH = 17;

function formatFigure({ label, value, change }: Figure): string {
  return `${`${label}:`.padEnd(LABEL_WIDTH)} ${value} (${change})`;
}

function formatChange({ value, change }: Figure): string {
  return `${value} (${change})`;
}

function formatDiscussion({ title, comments, excerpt, url }: Discussion): string {
  return formatEntry(title, excerpt === '' ? [comments] : [comments, `“${excerpt}”`], url);
}

function formatSection(heading: string, entries: string[]): string {
  if (entries.length === 0) return '';
  return `${heading.toUpperCase()}\n\n${entries.join('\n\n')}`;
}

function formatEntry(title: string, lines: string[], url: string): string {
  return [wrapMailText(title, '* '), ...lines.map((line) => wrapMailText(line, '  ')), `  ${url}`].join('\n');
}
