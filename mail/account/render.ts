/** Renders a mail about an account: subject, HTML and text with the same content. */
import { cleanToOneLine, toWebAddress, wrapMailText } from '../clean-text.ts';
import { findListHost } from '../digest/render.ts';
import type { RenderedMail } from '../mailer.ts';
import { lazyTemplate } from '../mjml/template.ts';
import type { AccountMail } from './account-mails.ts';

interface LetterView extends Omit<AccountMail, 'action'> {
  /** Both are empty without a button. */
  label: string;
  url: string;
  siteUrl: string;
}

const loadTemplate = lazyTemplate<LetterView>(new URL('./letter.mjml', import.meta.url));

/**
 * `url` is the address of the button. All texts may be written by strangers, so they are cleaned
 * and escaped.
 */
export async function renderAccountMail(
  letter: AccountMail,
  { siteUrl, url }: { siteUrl: string; url: string | null },
): Promise<RenderedMail> {
  const view = viewLetter(letter, siteUrl, url);
  const fill = await loadTemplate();
  return { subject: view.subject, html: fill(view), text: formatText(view) };
}

function viewLetter(letter: AccountMail, siteUrl: string, url: string | null): LetterView {
  const line = (text: string) => cleanToOneLine(text, 1_000);
  return {
    subject: cleanToOneLine(letter.subject, 150),
    preview: line(letter.preview),
    heading: line(letter.heading),
    paragraphs: letter.paragraphs.map(line),
    closing: letter.closing.map(line),
    footer: line(letter.footer),
    label: letter.action?.label ?? '',
    url: url === null ? '' : toWebAddress(url, ''),
    siteUrl: toWebAddress(siteUrl, 'about:blank'),
  };
}

function formatText({ heading, paragraphs, label, url, closing, footer, siteUrl }: LetterView): string {
  const blocks = [
    `COURANT · ${heading}`,
    ...paragraphs.map((text) => wrapMailText(text)),
    url === '' ? '' : `${label}:\n${url}`,
    ...closing.map((text) => wrapMailText(text)),
    `--------\n${wrapMailText(footer)}\n${siteUrl}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/**
 * Prevents automatic replies (RFC 3834). Not marked as list mail: unsubscribing would stop mails
 * about the security of the account.
 */
export function buildMailHeaders(): Record<string, string> {
  return { 'Auto-Submitted': 'auto-generated' };
}

/** Returns the same id for the same mail, so that mail programs merge two copies. */
export function buildMailId(mailId: string, siteUrl: string): string {
  return `<mail.${mailId}@${findListHost(siteUrl)}>`;
}
