/**
 * The form of each platform: credential fields, and the steps to find them, in the platform's
 * terms.
 */
import type { Platform } from '../../../destinations/types.ts';
import { type Html, html } from '../../web/html.ts';

export interface CredentialField {
  /** The name that the platform's client uses. */
  name: string;
  label: string;
  hint: string;
  /** Secrets are never sent back to a browser. */
  kind: 'secret' | 'text';
  isOptional?: true;
}

export interface PlatformForm {
  name: string;
  /** Steps to obtain the credential. */
  steps: readonly Html[];
  fields: readonly CredentialField[];
  address: { label: string; hint: string };
  /** A warning, shown below the steps. */
  caution?: Html;
}

const OWN_API = { label: 'Another address of its API', hint: 'Leave it empty, unless you reach it through a proxy.' };

export const PLATFORM_FORMS: Record<Platform, PlatformForm> = {
  forem: {
    name: 'DEV / Forem',
    steps: [
      html`On DEV, open <a href="https://dev.to/settings/extensions" rel="noreferrer">Settings → Extensions</a>.`,
      html`Under “DEV Community API Keys”, describe the key (“Courant”) and press “Generate API Key”.`,
      html`Open the new key in the list, copy it, and paste it here.`,
    ],
    fields: [
      {
        name: 'apiKey',
        label: 'API key',
        hint: 'A new key may need some minutes before DEV takes it.',
        kind: 'secret',
      },
    ],
    address: {
      label: 'Address of another Forem',
      hint: 'Leave it empty for DEV. Else its front page, as in https://community.example.',
    },
  },
  hashnode: {
    name: 'Hashnode',
    steps: [
      html`Open <a href="https://hashnode.com/settings/developer" rel="noreferrer">Account Settings → Developer</a>, press “Generate New Token” and copy the personal access token.`,
      html`Open your blog’s dashboard: the id of the publication stands in its address, behind <code>hashnode.com/</code>.`,
    ],
    fields: [
      {
        name: 'token',
        label: 'Personal access token',
        hint: 'It can write everything of your account.',
        kind: 'secret',
      },
      {
        name: 'publicationId',
        label: 'Publication id',
        hint: 'Of the blog to publish to: 24 letters and digits.',
        kind: 'text',
      },
    ],
    address: OWN_API,
    caution: html`Hashnode lets programs publish only to publications on its Pro plan.`,
  },
  medium: {
    name: 'Medium',
    steps: [
      html`Open <a href="https://medium.com/me/settings/security" rel="noreferrer">Settings → Security and apps</a>.`,
      html`Under “Integration tokens”, copy the token that you have.`,
    ],
    fields: [{ name: 'token', label: 'Integration token', hint: 'Treat it like a password.', kind: 'secret' }],
    address: OWN_API,
    caution: html`Medium gives out no new integration tokens. One that you made before still works; where the section is missing, you have none. What was posted can only be
changed or deleted by you, on Medium.`,
  },
  wordpress: {
    name: 'WordPress',
    steps: [
      html`In your site’s dashboard, open Users → Profile and scroll to “Application Passwords”.`,
      html`Type “Courant” as “New Application Password Name” and press “Add Application Password”.`,
      html`Copy the password that is shown once. Its spaces may stay.`,
    ],
    fields: [
      {
        name: 'username',
        label: 'Username',
        hint: 'With which you sign in there; of an author, an editor or an administrator.',
        kind: 'text',
      },
      {
        name: 'applicationPassword',
        label: 'Application password',
        hint: 'Not the password with which you sign in.',
        kind: 'secret',
      },
    ],
    address: {
      label: 'Address of the site',
      hint: 'Of its front page, as in https://blog.example. WordPress 5.6 or newer.',
    },
  },
  ghost: {
    name: 'Ghost',
    steps: [
      html`In Ghost’s admin area, open Settings → Advanced → Integrations.`,
      html`Press “Add custom integration” and call it “Courant”.`,
      html`Copy the “Admin API key” (not the Content API key), and the “API URL” as the address.`,
    ],
    fields: [
      { name: 'adminKey', label: 'Admin API key', hint: 'Two parts with a colon between them.', kind: 'secret' },
    ],
    address: { label: 'API URL', hint: 'As Ghost shows it, as in https://blog.example.' },
  },
  linkedin: {
    name: 'LinkedIn',
    steps: [
      html`In the <a href="https://www.linkedin.com/developers/apps" rel="noreferrer">developer portal</a>, create an app, and add the products “Share on LinkedIn” and “Sign In with LinkedIn
using OpenID Connect”.`,
      html`In its OAuth 2.0 tools, create a token with the scopes <code>openid</code>, <code>profile</code> and <code>w_member_social</code>; for a page
<code>w_organization_social</code> too.`,
      html`Copy the access token.`,
    ],
    fields: [
      {
        name: 'accessToken',
        label: 'Access token',
        hint: 'LinkedIn’s tokens expire after two months: paste a new one here then.',
        kind: 'secret',
      },
      {
        name: 'organizationId',
        label: 'Number of a page',
        hint: 'To post as a page that you administer: the digits in the address of its admin view.',
        kind: 'text',
        isOptional: true,
      },
      {
        name: 'apiVersion',
        label: 'Version of the API',
        hint: 'A month as in 202611, only where LinkedIn says that ours has ended.',
        kind: 'text',
        isOptional: true,
      },
    ],
    address: OWN_API,
  },
};
