/** Problems of a connection at the fields of its form, and the platforms that a destination has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDestination, readPlatform, toConnectionFieldProblem } from '../../../api/connections/desk/read-request.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';

test('each error of a probe is shown at the field that causes it', () => {
  const at = (platform: 'hashnode' | 'wordpress' | 'linkedin', code: RefusedCommandError['code'], field?: string) =>
    toConnectionFieldProblem(platform, new RefusedCommandError(code, 'No.', field));
  const paths: Partial<Record<RefusedCommandError['code'], string>> = {
    ...{ LEADS_ELSEWHERE: 'baseUrl', NOT_WORDPRESS: 'baseUrl', NOT_GHOST: 'baseUrl', NOT_FOUND: 'baseUrl' },
    ...{ ENDPOINT_MOVED: 'baseUrl', ADDRESS_REFUSED: 'baseUrl', PUBLICATION_NOT_FOUND: 'publicationId' },
    ...{ ORGANIZATION_INVALID: 'organizationId', CREDENTIALS_REFUSED: 'token', RATE_LIMITED: '', FORBIDDEN: '' },
  };
  for (const [code, path] of Object.entries(paths))
    assert.deepEqual(at('hashnode', code as RefusedCommandError['code']), { path, message: 'No.' });
  assert.equal(at('wordpress', 'CREDENTIALS_REFUSED').path, 'applicationPassword');
  assert.equal(at('linkedin', 'BAD_CREDENTIALS', 'credentials').path, 'accessToken');
  assert.equal(at('hashnode', 'BAD_CREDENTIALS', 'credentials.publicationId').path, 'publicationId');
  assert.equal(at('hashnode', 'CREDENTIALS_REFUSED', 'baseUrl').path, 'baseUrl');
  assert.equal(at('hashnode', 'BAD_PLATFORM', 'platform').path, '');
});

test('a message about credentials names the labels of the form', () => {
  const name = (code: RefusedCommandError['code'], message: string) =>
    toConnectionFieldProblem('hashnode', new RefusedCommandError(code, message)).message;
  assert.equal(
    name('BAD_CREDENTIALS', 'Hashnode requires token and publicationId, not tokens.'),
    'Hashnode requires “Personal access token” and “Publication id”, not tokens.',
  );
  assert.equal(name('FORBIDDEN', 'Hashnode requires token.'), 'Hashnode requires token.');
});

test('the first platform of a destination is the default, and an unknown one is a 404', () => {
  assert.equal(readDestination('cms_site'), 'cms_site');
  assert.equal(readPlatform('cms_site', undefined), 'wordpress');
  assert.equal(readPlatform('cms_site', ''), 'wordpress');
  assert.equal(readPlatform('cms_site', 'ghost'), 'ghost');
  for (const value of ['forem', ['ghost'], null])
    assert.throws(() => readPlatform('cms_site', value), {
      ...{ code: 'not_found', message: 'This destination does not support this platform.' },
    });
  assert.throws(() => readDestination('cms'), { code: 'not_found', message: 'This destination does not exist.' });
});
