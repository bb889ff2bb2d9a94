/**
 * The code as it was before the newest migration: an upgrade that brings one is the hardest that there is, since what runs still knows nothing of the
 * schema that it runs on. A tag may be far behind, or stand where no migration came after it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/check/run-step.ts';

export interface FormerRelease {
  root: string;
  remove(): void;
}

/** Null where there is no history to take it from. */
export function findFormerCommit(): string | null {
  try {
    const added = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'store/db/migrations').trim();
    return git('rev-parse', '--verify', '--quiet', `${added}^`).trim() || null;
  } catch {
    return null;
  }
}

/** It runs with the packages that are installed here: two installations would take minutes, and packages change little between two migrations. */
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
