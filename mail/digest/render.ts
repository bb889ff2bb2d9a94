/** Renders the digest: subject, HTML and text. */
import type { RenderedMail } from '../mailer.ts';
import { lazyTemplate } from '../mjml/template.ts';
import type { DigestContent } from './content.ts';
import { formatDigestText } from './text.ts';
import { type DigestView, viewDigest } from './view.ts';

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
