/** The GraphQL schema: the table of contents of its subjects. Each import adds what it holds to the builder. */
import { meterAnswers } from './bounds/answer-meter.ts';
import { builder } from './builder.ts';
import './subjects/people/accounts.ts';
import './subjects/articles/article-commands.ts';
import './subjects/articles/articles.ts';
import './subjects/readers/comments.ts';
import './subjects/delivery/connections.ts';
import './subjects/delivery/deliveries.ts';
import './subjects/delivery/delivery-commands.ts';
import './subjects/delivery/offers.ts';
import './subjects/people/developer-tokens.ts';
import './subjects/digest-settings.ts';
import './subjects/readers/engagement.ts';
import './subjects/readers/follows.ts';
import './subjects/imports/imports.ts';
import './subjects/people/leaving.ts';
import './subjects/readers/moderation.ts';
import './subjects/readers/newsletter.ts';
import './subjects/notifications.ts';
import './subjects/people/profiles.ts';
import './subjects/series/parts.ts';
import './subjects/series/series.ts';
import './subjects/people/sessions.ts';

export const schema = meterAnswers(builder.toSchema());
