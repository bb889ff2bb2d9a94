/** Renders a mail about an account: subject, HTML and text with the same content. */
import type { RenderedMail } from '../mailer.ts';
import { lazyTemplate } from '../mjml/template.ts';
import { toOneLine, toWebAddress } from '../plain.ts';
import { wrap } from '../wrap.ts';
import type { Letter } from './letter.ts';

interface LetterView {
  subject: string;
  preview: string;
  heading: string;
  paragraphs: string[];
  closing: string[];
  footer: string;
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
export async function renderLetter(
  letter: Letter,
  { siteUrl, url }: { siteUrl: string; url: string | null },
): Promise<RenderedMail> {
  const view = viewLetter(letter, siteUrl, url);
  const fill = await loadTemplate();
  return { subject: view.subject, html: fill(view), text: formatText(view) };
}

function viewLetter(letter: Letter, siteUrl: string, url: string | null): LetterView {
  const line = (text: string) => toOneLine(text, 1_000);
  return {
    subject: toOneLine(letter.subject, 150),
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
    ...paragraphs.map((text) => wrap(text)),
    url === '' ? '' : `${label}:\n${url}`,
    ...closing.map((text) => wrap(text)),
    `--------\n${wrap(footer)}\n${siteUrl}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
