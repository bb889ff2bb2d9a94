/** Renders the digest: subject, HTML, text and the headers of list mail (RFC 2369, 2919, 3834, 8058). */
import { wrapMailText } from '../clean-text.ts';
import type { RenderedMail } from '../mailer.ts';
import { lazyTemplate } from '../mjml/template.ts';
import { type DigestContent, type DigestView, type Discussion, type Figure, viewDigest } from './view.ts';

const loadTemplate = lazyTemplate<DigestView>(new URL('./digest.mjml', import.meta.url));

/**
 * Escapes all texts, because strangers write them. The first call of a process takes a second,
 * later ones less than a millisecond.
 */
export async function renderDigest(content: DigestContent): Promise<RenderedMail> {
  const view = viewDigest(content);
  const fill = await loadTemplate();
  return { subject: view.subject, html: fill(view), text: formatDigestText(view) };
}

/**
 * `unsubscribeUrl` accepts a POST of `List-Unsubscribe=One-Click`. Mail programs send it over https
 * only.
 */
export function buildDigestHeaders({ unsubscribeUrl, siteUrl }: { unsubscribeUrl: string; siteUrl: string }) {
  // A space, a comma or an angle bracket would end the address. URLs percent-encode all but the
  // comma.
  const address = new URL(unsubscribeUrl).href.replaceAll(',', '%2C');
  return {
    'List-Unsubscribe': `<${address}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Id': `Digest for authors <digest.${findListHost(siteUrl)}>`,
    'Auto-Submitted': 'auto-generated',
  };
}

/** Returns the same id for the same digest, so that mail programs merge two copies. */
export function buildDigestMessageId(digest: { userId: string; date: string; siteUrl: string }): string {
  const { userId, date, siteUrl } = digest;
  return `<digest.${userId}.${date}@${findListHost(siteUrl)}>`;
}

/** Only host names are allowed in these headers, not an IP address in brackets. */
export function findListHost(siteUrl: string): string {
  const { hostname } = new URL(siteUrl);
  return hostname.replace(/[^a-z0-9.-]/gi, '-').replace(/^-+|-+$/g, '') || 'localhost';
}

function formatDigestText(view: DigestView): string {
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
