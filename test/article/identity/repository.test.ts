import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseRepository } from '../../../article/identity/repository.ts';
import { runs } from '../../support/property-runs.ts';

test('all URLs of one repository give the same name', () => {
  const urls = [
    'git@github.com:o/r.git',
    'github.com:o/r',
    'git@GitHub.com:/o/r.git/',
    'https://github.com/o/r',
    'https://GITHUB.com:443/o/r.git/',
    'https://user:token@github.com/o/r.git/',
    'https://x-access-token@github.com/o//r.git',
    'http://github.com/o/r?private_token=secret#readme',
    'ssh://git@github.com:22/o/r',
    'ssh://git@github.com:2222/o/r.git',
    'git+ssh://git@github.com/o/r.git',
    'git://github.com/o/r.git',
    '  https://github.com/o/r.git\n',
  ];
  for (const url of urls) assert.equal(normaliseRepository(url), 'github.com/o/r', url);
  assert.equal(normaliseRepository('git@[2001:DB8::1]:o/r'), '[2001:db8::1]/o/r');
  assert.equal(
    normaliseRepository('https://dev.azure.com/org/My%20Project/_git/site'),
    'dev.azure.com/org/My Project/_git/site',
  );
  assert.notEqual(normaliseRepository('https://github.com/O/r'), normaliseRepository('https://github.com/o/r'));
});

test('local paths and unparseable remotes have no name', () => {
  const remotes = [
    ...['/srv/git/r.git', '../r.git', './a:b', 'file:///srv/git/r.git', 'C:\\repos\\r', 'C:/repos/r', '\\\\server\\r'],
    ...['', 'github.com', 'https://github.com/', 'https://github.com', 'codecommit::eu-west-1://profile@r'],
    ...['user:token@github.com/o/r', 'https://user:123/token@github.com/o/r', 'https://a b/c', 'git@host:'],
    `https://github.com/${'r'.repeat(2_000)}`,
  ];
  for (const remote of remotes) assert.equal(normaliseRepository(remote), null, remote);
});

test('no credential of a remote is part of its name', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9!$&'()*+,;=:@%_.~-]{6,40}$/).map((text) => `SECRET${text}`);
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
  const remote = fc
    .record({ user: secret, password: secret, host: name, owner: name, repository: name })
    .chain(({ user, password, host, owner, repository }) =>
      fc.constantFrom(
        `https://${user}:${password}@${host}.example/${owner}/${repository}.git`,
        `https://${user}@${host}.example/${owner}/${repository}`,
        `ssh://${user}:${password}@${host}.example:2222/${owner}/${repository}`,
        `${user}@${host}.example:${owner}/${repository}.git`,
        `${user}:${password}@${host}.example/${owner}/${repository}`,
        `${user}:${password}@${host}.example:${owner}/${repository}`,
        `https://${host}.example/${owner}/${repository}?token=${password}#${password}`,
        `https://proxy.example/https://${user}:${password}@${host}.example/${owner}/${repository}`,
      ),
    );
  fc.assert(
    fc.property(remote, (text) => {
      assert.doesNotMatch(normaliseRepository(text) ?? '', /SECRET|secret/i, text);
    }),
    { numRuns: runs(2_000) },
  );
});

test('normalising a normalised name returns the same name', () => {
  for (const url of ['git@github.com:o/r.git', 'https://gitlab.example/a/b/c.git'])
    assert.equal(normaliseRepository(`https://${normaliseRepository(url)}`), normaliseRepository(url));
});
