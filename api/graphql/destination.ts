/** The `Destination` enum: the keys of `cross_post`. */
import { builder } from './builder.ts';

export const Destination = builder.enumType('Destination', {
  description: 'The key of a destination in cross_post.',
  values: {
    blogsite_a: { description: 'Forem: DEV (dev.to) or your own instance.' },
    blogsite_b: { description: 'Hashnode.' },
    blogsite_c: { description: 'Medium.' },
    cms_site: { description: 'Your own WordPress or Ghost site.' },
    social_feed: { description: 'LinkedIn.' },
  } as const,
});
