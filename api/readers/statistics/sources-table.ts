/** Table of the sites that referred readers. Clients choose these names, so they are not links. */
import { domainToUnicode } from 'node:url';
import type { Sources } from '../../../store/statistics/list-sources.ts';
import { type Html, html } from '../../web/html.ts';
import { formatNumber, formatShare } from './describe.ts';

export function renderSourcesTable({ listed, more, views }: Sources): Html {
  if (listed.length === 0) return html`<p class="soft">No views in this period.</p>`;
  const rows = listed.map((source) => renderRow(renderHost(source.host), source.views, views));
  const rest =
    more.hosts > 0
      ? renderRow(html`<span class="soft">${formatNumber(more.hosts)} more</span>`, more.views, views)
      : null;
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Sources"><table class="data-table sources"><thead><tr><th scope="col">Source</th><th scope="col" class="number">Views</th><th scope="col" class="number">Share</th></tr></thead><tbody>${rows}${rest}</tbody></table></div>
<p class="soft small">Browsers report the referring site, or nothing. Sites are not linked because anyone can send any name.</p>`;
}

function renderRow(name: Html, views: number, totalViews: number): Html {
  return html`<tr><th scope="row">${name}<svg class="share" aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none"><rect width="${Math.round((views / Math.max(totalViews, 1)) * 1000) / 10}" height="1"/></svg></th><td class="number">${formatNumber(views)}</td><td class="number">${formatShare(views, totalViews)}</td></tr>`;
}

/**
 * Shows an international name in ASCII first, as browsers send it, so that it cannot imitate
 * another one. The decoded name follows.
 */
function renderHost(host: string): Html {
  if (host === 'direct') return html`Direct <span class="soft small">no referring site reported</span>`;
  if (host === 'other') return html`Other <span class="soft small">over the daily limit</span>`;
  const unicodeName = host.includes('xn--') ? domainToUnicode(host) : '';
  const isShown = unicodeName !== '' && unicodeName !== host && !/[\p{Cc}\p{Cf}]/u.test(unicodeName);
  return html`<bdi dir="ltr">${host}</bdi>${isShown ? html` <bdi class="soft small">${unicodeName}</bdi>` : null}`;
}
