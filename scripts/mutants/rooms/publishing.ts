/** Mutants of the publish transaction, its idempotency, and sealed data. */
import type { MutatedFile } from '../mutant.ts';

export const PUBLISHING: readonly MutatedFile[] = [
  {
    file: 'store/articles/publish/decide-state.ts',
    tests: ['test/api/publishing/matching.test.ts', 'test/api/publishing/schedules.test.ts'],
    mutants: [
      {
        mistake: 'a republish changes the time of the first publication',
        from: '(publishedAt ?? now)',
        to: 'now',
      },
      {
        mistake: 'a time in the future unpublishes a public article',
        from: `if (draft.status === 'SCHEDULED' && existing?.status === 'PUBLISHED') {`,
        to: `if (draft.status === 'SCHEDULED' && existing?.status === 'DRAFT') {`,
        tests: ['test/api/publishing/schedules.test.ts'],
      },
    ],
  },
  {
    file: 'store/articles/publish/idempotency.ts',
    tests: ['test/api/publishing/idempotency.test.ts'],
    mutants: [
      {
        mistake: 'the response of an idempotency key is lost after thirty seconds',
        from: '(k.response is null and k.locked_until < ${now})',
        to: '(k.locked_until < ${now})',
      },
      {
        mistake: 'the claim of a crashed process never expires',
        from: 'or (k.response is null and k.locked_until < ${now})',
        to: '',
      },
      {
        mistake: 'another body with the same key gets the response of the first one',
        from: `if (!existing.requestHash.equals(requestHash)) return { kind: 'other_body' };`,
        to: '',
      },
      {
        mistake: 'a failed publish does not release its key',
        from: `.where('response', 'is', null)\n    .execute();`,
        to: `.where('response', 'is not', null)\n    .execute();`,
      },
    ],
  },
  {
    file: 'store/articles/publish/save-article.ts',
    tests: [
      'test/api/publishing/matching.test.ts',
      'test/api/publishing/publish.test.ts',
      'test/api/publishing/storage.test.ts',
    ],
    mutants: [
      {
        mistake: 'a republish that changes only `syndicationMode` has no effect',
        from: '{ syndicate: rest.syndicate, imported: false }',
        to: '{ imported: false }',
      },
      {
        mistake: 'a publish without changes creates a revision',
        from: 'const changed = !fingerprint.equals(existing.fingerprint);',
        to: 'const changed = true;',
      },
      {
        mistake: 'an earlier external id is lost',
        from: '...(externalId !== null && externalId !== existing.id ? { externalId } : {}),',
        to: 'externalId,',
      },
      {
        mistake: 'the stored bytes of an author are not counted',
        from: '`stored_bytes + ${addedBytes}`',
        to: '`stored_bytes`',
        tests: ['test/api/publishing/storage.test.ts'],
      },
    ],
  },
  {
    file: 'store/articles/publish/storage.ts',
    tests: ['test/api/publishing/storage.test.ts'],
    mutants: [
      {
        mistake: 'an author above the limit cannot shorten an article',
        from: 'if (newBytes <= oldBytes || total <= limitBytes) return;',
        to: 'if (total <= limitBytes) return;',
      },
    ],
  },
  {
    file: 'store/articles/find-for-readers.ts',
    tests: ['test/api/attacks/hidden-addresses.test.ts'],
    mutants: [
      {
        mistake: 'the address of a draft responds like the address of a formerly public article',
        from: 'and (former.was_public or',
        to: 'and (true or',
      },
    ],
  },
  {
    file: 'store/articles/publish/slugs.ts',
    tests: ['test/api/publishing/matching.test.ts', 'test/api/publishing/publish.test.ts'],
    mutants: [
      {
        mistake: 'an article can use the former address of another one',
        from: `.$if(articleId !== null, (query) =>`,
        to: `.$if(articleId === null, (query) => query.where('slug', '=', '')).$if(articleId !== null, (query) =>`,
      },
      {
        mistake: 'an article can use a reserved path of the site',
        from: 'if (isReservedSlug(slug)) return false;',
        to: '',
      },
    ],
  },
  {
    file: 'store/secrets/sealing.ts',
    tests: ['test/store/secrets/sealing.test.ts'],
    mutants: [
      {
        mistake: 'an encrypted credential can be decrypted in another row',
        from: `createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context))`,
        to: `createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(''))`,
      },
      {
        mistake: 'a credential encrypted with a former key counts as encrypted with the current one',
        from: 'sealed[0] === VERSION && sealed.subarray(1, 1 + ID_BYTES).equals(currentId)',
        to: 'sealed[0] === VERSION',
      },
    ],
  },
];
