/** Measures the time from the commit of an outcome until a browser shows it in the desk's grid. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { explainAbsence, findTool } from '../../scripts/check/set-up.ts';
import type { Database } from '../../store/db/database.ts';
import { addNotification, buildArticleLink } from '../../store/notifications/add.ts';
import { quantile } from '../measure.ts';

const UPDATES = 20;
/** The pause between two updates, so that they do not overlap. */
const PAUSE_MS = 300;

/** Prints the median and the slowest update, or the reason if there is no browser. */
export async function measureGridUpdates(
  db: Database,
  { apiUrl, userId, cookie }: { apiUrl: string; userId: string; cookie: string },
): Promise<void> {
  const executablePath = findTool('CHROMIUM_PATH');
  if (!executablePath) return console.log(`  not measured on screen: ${explainAbsence('CHROMIUM_PATH')}`);
  const chromiumSandbox = process.getuid?.() !== 0;
  const browser = await chromium.launch({ executablePath, chromiumSandbox });
  try {
    const page = await browser.newPage();
    const cookies = cookie.split('; ').map((pair) => pair.split('=') as [string, string]);
    await page.context().addCookies(cookies.map(([name, value]) => ({ name, value, url: apiUrl })));
    const streaming = page.waitForResponse(/desk\/stream/);
    await page.goto(`${apiUrl}/desk`);
    await streaming;
    const shown = await page
      .locator('tr[data-title]')
      .evaluateAll((rows) => rows.map(({ id }) => id.replace('a-', '')));
    const times: number[] = [];
    for (const [number, articleId] of shown.slice(0, UPDATES).entries()) {
      const drawn = page.evaluate(waitUntilDrawn, [`a-${articleId}`, `update ${number}`] as const);
      // Waits until the observer is active.
      await sleep(PAUSE_MS);
      const committed = await change(db, userId, articleId, `update ${number}`);
      times.push((await drawn) - committed);
    }
    times.sort((a, b) => a - b);
    const [median, p95, slowest] = [quantile(times, 0.5), quantile(times, 0.95), quantile(times, 1)];
    console.log(`  commit to screen, ${times.length} updates: p50 ${median} ms, p95 ${p95} ms, slowest ${slowest} ms`);
  } finally {
    await browser.close();
  }
}

/**
 * Writes a failed delivery and its notification in one transaction. Returns the time right before
 * the commit.
 */
function change(db: Database, userId: string, articleId: string, reason: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const now = new Date();
    const { title } = await tx
      .selectFrom('articles')
      .select('title')
      .where('id', '=', articleId)
      .executeTakeFirstOrThrow();
    // The copy remains; the last attempt to update it was rejected.
    await tx
      .updateTable('copies')
      .set({ contentHash: null, updatedAt: now })
      .from('accounts')
      .whereRef('accounts.id', '=', 'copies.accountId')
      .where('articleId', '=', articleId)
      .where('accounts.destination', '=', 'blogsite_a')
      .execute();
    await tx
      .updateTable('deliveryAttempts')
      .set({ outcome: 'failed', code: 'rejected', reason })
      .from('deliveries')
      .whereRef('deliveries.id', '=', 'deliveryAttempts.deliveryId')
      .where('articleId', '=', articleId)
      .where('destination', '=', 'blogsite_a')
      .execute();
    const payload = { postTitle: title, platform: 'BLOGSITE_A', reason };
    const dedupeKey = `bench:${articleId}:${reason}`;
    await addNotification(tx, {
      userId,
      type: 'CROSS_POST_FAILED',
      payload,
      link: buildArticleLink(articleId),
      dedupeKey,
      now,
    });
    return Date.now();
  });
}

/** Runs in the page. Returns the time of the first frame after the row contains `text`. */
function waitUntilDrawn([id, text]: readonly [string, string]): Promise<number> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.getElementById(id)?.textContent?.includes(text)) return;
      observer.disconnect();
      // The first callback runs before the frame is drawn, the second after it.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(Date.now())));
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}
