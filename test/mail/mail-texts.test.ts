/**
 * The subjects and complete texts of all mails, so that no change of them goes unnoticed.
 * `node --test --test-update-snapshots test/mail/mail-texts.test.ts` writes them.
 */
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ACCOUNT_MAILS } from '../../mail/account/account-mails.ts';
import { renderAccountMail } from '../../mail/account/render.ts';
import { renderDigest } from '../../mail/digest/render.ts';
import { viewDigest } from '../../mail/digest/view.ts';
import { minimalDigest, ordinaryDigest } from './support/digests.ts';

const SITE = 'https://courant.example';
const FACTS = {
  ...{ name: 'Ada Lovelace', username: 'ada', author: 'grace', address: 'ada@example.org' },
  at: new Date('2026-11-16T07:05:00Z'),
};

test('mails about an account have the recorded subjects and texts', async (context) => {
  const texts: string[] = [];
  for (const [kind, write] of Object.entries(ACCOUNT_MAILS)) {
    const letter = write({ ...FACTS, developerTokens: 0 });
    const { action } = letter;
    const url = action && `${SITE}${action.path}?token=t`;
    const { subject, text } = await renderAccountMail(letter, { siteUrl: SITE, url });
    const validity = action ? `valid for ${action.hours} hours` : 'no link';
    texts.push(`# ${kind}: ${subject}\n${letter.preview} (${validity})\n\n${text}`);
  }
  for (const developerTokens of [1, 2]) {
    texts.push(ACCOUNT_MAILS.password_changed({ ...FACTS, developerTokens }).paragraphs[1] ?? '');
  }
  record(context, 'account', texts);
});

test('a digest has the recorded subject, preview and text, with and without news', async (context) => {
  const texts: string[] = [];
  for (const content of [ordinaryDigest(), minimalDigest()]) {
    const { subject, text } = await renderDigest(content);
    texts.push(`# ${subject}\n${viewDigest(content).preview}\n\n${text}`);
  }
  record(context, 'digest', texts);
});

function record(context: TestContext, name: string, texts: readonly string[]): void {
  const path = join(import.meta.dirname, 'mail-texts', `${name}.txt`);
  context.assert.fileSnapshot(texts.join('\n\n'), path, { serializers: [String] });
}
