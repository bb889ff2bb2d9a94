/** Settings page that downloads the export. */

import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import { type Html, html } from '../../web/html.ts';

export function renderExportPage(): Html {
  return html`<p>A zip of all your data on this site:</p>
<ul><li>each article as the Markdown that you sent, which you can publish again to the same article;</li>
<li>your profile, series and connections (without credentials), as JSON;</li>
<li>your comments, and the addresses of all copies at destinations, as JSON.</li></ul>
<form method="post" action="${buildSettingsPath('export')}"><button class="button primary">Download everything</button></form>
<p class="soft small">The zip is created during the download. You can download it ten times per hour.</p>`;
}
