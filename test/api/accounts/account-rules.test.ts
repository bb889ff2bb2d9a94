/** Rules for user names, display names and passwords, the waits of limits, and names of programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkPassword } from '../../../api/accounts/password/rules.ts';
import { OFFICIAL_NAMES, readDisplayName, readUsername } from '../../../api/accounts/profile/profile-rules.ts';
import { nameClient } from '../../../api/accounts/sessions/settings.ts';
import { createLimitError } from '../../../api/auth/limits.ts';
import { readEmail } from '../../../api/auth/read-email.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { runs } from '../../support/property-runs.ts';

/** The refusal of an input as `code field: message`; null if it is accepted. */
function findRefusal(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    assert.ok(error instanceof RefusedCommandError, String(error));
    return `${error.code} ${error.field}: ${error.message}`;
  }
}

test('a user name has 2 to 39 letters and digits with single separators, and none of the reserved names', () => {
  const malformed =
    'BAD_INPUT username: A user name has 2 to 39 letters a to z and digits, with single hyphens or underscores between them.';
  for (const name of ['', 'a', 'x'.repeat(40), '-ab', 'ab-', 'a_-b', 'a--b', 'a__b', 'a.b', 'ab\nc', 'ab!', '!ab'])
    assert.equal(
      findRefusal(() => readUsername(name)),
      malformed,
      name,
    );
  const taken =
    'USERNAME_TAKEN username: This user name, or one that looks like it, is taken or reserved. Choose another one.';
  for (const name of ['login', ' Settings '])
    assert.equal(
      findRefusal(() => readUsername(name)),
      taken,
      name,
    );
  const names = { ' ab ': 'ab', 'A-b_9': 'a-b_9', '9a': '9a', ａｂ: 'ab', ['x'.repeat(39)]: 'x'.repeat(39) };
  for (const [text, name] of Object.entries(names)) assert.equal(readUsername(text), name);
  assert.ok(['abuse', 'no-reply', 'everyone', 'press', 'webmaster'].every((name) => OFFICIAL_NAMES.includes(name)));
  assert.ok(OFFICIAL_NAMES.every((name) => /^[a-z-]+$/.test(name)));
});

test('any input for a user name is stored as ASCII or rejected', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 45 }), (text) => {
      let username: string;
      try {
        username = readUsername(text);
      } catch (error) {
        return ['BAD_INPUT', 'USERNAME_TAKEN'].includes((error as { code: string }).code);
      }
      return /^[a-z0-9][a-z0-9_-]{1,38}$/.test(username) && readUsername(username) === username;
    }),
    { numRuns: runs(700) },
  );
});

test('a display name is one line in any script without control or direction characters', () => {
  assert.equal(readDisplayName('  Ada\r\nBcc: v@x  '), 'Ada Bcc: v@x');
  assert.equal(readDisplayName('李\u202e小龍\u0000'), '李小龍');
  assert.equal(readDisplayName('\u001b[31mRed\u001b[0m'), 'Red');
  for (const name of ['x', '7', '李', `${'😀'.repeat(79)}x`]) assert.equal(readDisplayName(name), name);
  const refusal =
    'BAD_INPUT name: A name must be one line of at most 80 characters, with at least one letter or digit.';
  for (const name of ['', ' \n ', '\u200b', '!!!', '😀', 'x'.repeat(81)])
    assert.equal(
      findRefusal(() => readDisplayName(name)),
      refusal,
      name,
    );
});

test('an address is stored in composed form without surrounding spaces', () => {
  assert.equal(readEmail(' u\u0308ber@example.org\n'), 'über@example.org');
  assert.equal(
    findRefusal(() => readEmail('name@')),
    'BAD_INPUT email: This is not an e-mail address. Example: name@example.org.',
  );
});

const PERSON = { username: 'ada-lovelace', email: 'countess@example.org', name: 'Ada Lovelace' };

test('a password has 8 to 1024 characters', () => {
  const refusal = 'WEAK_PASSWORD password: The password must have 8 to 1024 characters.';
  for (const password of ['', 'short', 'xy1zw2a', '😀😁😂🤣😃😄😅', 'x'.repeat(1_025)])
    assert.equal(
      findRefusal(() => checkPassword(password, PERSON)),
      refusal,
      password.slice(0, 9),
    );
  const accepted = ['xy1zw2ab', '😀😁😂🤣😃😄😅😆', 'xy1z'.repeat(256), '  spaces  ', 'ünïcödé wörter', 'tr0ub4dor&3'];
  for (const password of [...accepted, '雨が降っていますよね', 'correct horse battery'])
    assert.equal(
      findRefusal(() => checkPassword(password, PERSON)),
      null,
      password.slice(0, 9),
    );
  assert.match(findRefusal(() => checkPassword('', PERSON, 'newPassword')) ?? '', /^WEAK_PASSWORD newPassword: /);
});

test('a password must not be a name or the address of its owner, also with digits at the end', () => {
  const refusal = 'WEAK_PASSWORD password: The password is your name or address. Choose one that nobody can guess.';
  for (const password of [
    ...['ada-lovelace', 'Ada Lovelace', 'ADA-LOVELACE1815', 'countess@example.org', 'Countess', 'Countess99!'],
    'ＡＤＡ-lovelace',
  ])
    assert.equal(
      findRefusal(() => checkPassword(password, PERSON)),
      refusal,
      password,
    );
  for (const password of ['ada-lovelace and others', 'the countess', '1815ada-lovelace'])
    assert.equal(
      findRefusal(() => checkPassword(password, PERSON)),
      null,
      password,
    );
  // A name of digits alone is not trimmed to nothing, which any other such password would equal.
  assert.equal(
    findRefusal(() => checkPassword('73194628', { ...PERSON, username: '1815' })),
    null,
  );
  assert.equal(
    findRefusal(() => checkPassword('18151815', { ...PERSON, username: '18151815' })),
    refusal,
  );
});

test('a password must not be common', () => {
  const refusal = 'WEAK_PASSWORD password: This password is too common. Choose another one.';
  for (const password of [
    ...['password', 'Password1!', 'iloveyou123', 'motdepasse', 'porsche1', 'courant!2026', 'qweasdzxc'],
    ...['12345678', '23456789', '87654321', '90123456', 'abcdefgh', 'mnopqrst', 'hgfedcba', 'qwertyuiop'],
    ...['poiuytrewq', 'qwertzuiopü', 'üpoiuztr', 'azertyuiop', '147258369', '12341234', '11223344'],
    ...['aaaaaaaa', 'abababab', '1q2w3e4r', 'asdfghjkl', 'zaq12wsx9'],
  ])
    assert.equal(
      findRefusal(() => checkPassword(password, PERSON)),
      refusal,
      password,
    );
  for (const password of ['abcabcabc', 'mypassword', 'passwordless', '1password2', 'abcdefgx'])
    assert.equal(
      findRefusal(() => checkPassword(password, PERSON)),
      null,
      password,
    );
});

test('a limit names the wait in seconds up to two minutes, in minutes up to 90, then in hours', () => {
  const waits: [ms: number, wait: string][] = [
    [1, '1 s'],
    [1_000, '1 s'],
    [1_001, '2 s'],
    [119_999, '120 s'],
    [120_000, '2 minutes'],
    [120_001, '3 minutes'],
    [90 * 60_000, '90 minutes'],
    [90 * 60_000 + 1, '2 hours'],
    [120 * 60_000, '2 hours'],
    [121 * 60_000, '3 hours'],
    [24 * 3_600_000, '24 hours'],
  ];
  for (const [ms, wait] of waits) {
    const { code, message } = createLimitError('Too much', ms);
    assert.deepEqual([code, message], ['RATE_LIMITED', `Too much. Try again in ${wait}.`]);
  }
});

test('a session is named after its User-Agent', () => {
  const mozilla = 'Mozilla/5.0';
  const chrome = 'AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
  const names = {
    [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`]: 'Firefox on Linux',
    [`${mozilla} (Windows NT 10.0) ${chrome} Edg/140.0`]: 'Edge on Windows',
    [`${mozilla} (Linux; Android 15) ${chrome} EdgA/140.0`]: 'Edge on Android',
    [`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${chrome} OPR/120.0`]: 'Opera on macOS',
    [`${mozilla} (Linux; Android 15) SamsungBrowser/28.0 ${chrome}`]: 'Samsung Internet on Android',
    [`${mozilla} (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605 FxiOS/140.0 Safari/605`]: 'Firefox on iPad',
    [`${mozilla} (iPod touch; CPU iPhone OS 12_0 like Mac OS X) CriOS/140.0 Safari/604.1`]: 'Chrome on iPhone',
    [`${mozilla} (X11; CrOS x86_64 16000.0) ${chrome}`]: 'Chrome on ChromeOS',
    [`${mozilla} (X11; Linux x86_64) HeadlessChrome/140.0`]: 'Chrome on Linux',
    [`${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/1 Safari/604.1`]: 'Safari on iPhone',
    [`${mozilla} (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36`]: 'Chrome on Android',
    'courant/1.0 (Linux)': 'The courant command on Linux',
    Courant: 'The courant command',
    'curl/8.9.1': 'curl',
    'Version/18.0': 'Other program',
    'Safari/604.1': 'Other program',
    'courantly/1.0': 'Other program',
    'my courant/1.0': 'Other program',
    'libcurl/8.9.1': 'Other program',
    'NoFirefox/1.0 Firefox Chromed/1 OPRA/1 (LinuxX; Mac OS 9)': 'Other program',
    '<b>x</b>': 'Other program',
    '': 'Other program',
  };
  for (const [userAgent, name] of Object.entries(names)) assert.equal(nameClient(userAgent), name, userAgent);
  assert.equal(nameClient(null), 'Unknown program');
});
