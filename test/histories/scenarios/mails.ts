/** Scenarios of mails about an account. */
import { enqueueMail } from '../../../store/mails/enqueue.ts';
import { buildMailWorkflowId } from '../../../temporal/names.ts';
import { startMail } from '../../../temporal/signals.ts';
import type { DigestWorld } from '../../support/api/digest.ts';
import { addPerson } from '../../support/api/readership.ts';
import type { Run, Scenario } from './story.ts';

export function createMailScenarios(world: DigestWorld): Scenario[] {
  const { client, taskQueue, db } = world;

  async function runMail(
    kind: 'password_changed' | 'reset_password',
    person: { userId: string | null; email: string },
  ): Promise<Run> {
    const { id: mailId } = await enqueueMail(db, { kind, ...person, now: new Date() });
    await startMail({ client, taskQueue }, { mailId, kind });
    const handle = client.workflow.getHandle(buildMailWorkflowId(mailId));
    await handle.result();
    return { workflowId: handle.workflowId, runId: (await handle.describe()).runId };
  }

  async function findPerson(): Promise<{ userId: string; email: string }> {
    const userId = await addPerson(db, 'Letter reader', new Date('2026-11-18T00:00:00Z'));
    const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow();
    return { userId, email };
  }

  return [
    { name: 'mail-sent', play: async () => runMail('password_changed', await findPerson()) },
    { name: 'mail-skipped', play: () => runMail('reset_password', { userId: null, email: 'nobody@example.org' }) },
    {
      name: 'mail-refused',
      async play() {
        world.smtp.onRecipient = () => '550 5.1.1 no such user';
        try {
          return await runMail('password_changed', await findPerson());
        } finally {
          world.smtp.onRecipient = () => null;
        }
      },
    },
  ];
}
