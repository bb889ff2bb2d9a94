/**
 * Checks out the code before the newest migration, if there is a second one. That is the hardest
 * upgrade, because the running code does not know the schema. A tag may be far behind or have no
 * later migration.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/check/run-step.ts';

export interface FormerRelease {
  root: string;
  remove(): void;
}

/** Returns null without a second migration or without a Git history. */
export function findFormerCommit(): string | null {
  if (readdirSync(join(ROOT, 'store/db/migrations')).length < 2) return null;
  try {
    const added = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'store/db/migrations').trim();
    return git('rev-parse', '--verify', '--quiet', `${added}^`).trim() || null;
  } catch {
    return null;
  }
}

/**
 * Uses the installed packages: another installation takes minutes, and packages change little
 * between two migrations.
 */
export function checkOut(commit: string): FormerRelease {
  const root = mkdtempSync(join(tmpdir(), 'courant-former-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 256 << 20 });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build-browser.ts'], { cwd: root, stdio: 'ignore' });
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
