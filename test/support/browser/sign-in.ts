/** Creates a person with a password, and signs in with the form. */
import type { Page } from 'playwright-core';
import { register } from '../../../api/accounts/sign-in/register.ts';
import type { TestApi } from '../api/api.ts';

export interface Person {
  username: string;
  email: string;
  password: string;
}

export async function registerPerson(api: TestApi, username: string): Promise<Person> {
  const person = { username, email: `${username}@example.org`, password: 'a long and lovely one' };
  await register(api.accounts, { address: '192.0.2.1', userAgent: null }, { ...person, name: username });
  return person;
}

/** Uses the form of `/login`. Resolves on the target page. Needs no script. */
export async function signIn(page: Page, { email, password }: Person, next = '/'): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(next)}`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}
