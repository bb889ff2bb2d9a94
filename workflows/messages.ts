/** Inputs, signals and queries of the workflows. Ids and numbers only: a history holds no article body and no secret. */
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { DestinationKey } from '../article/types.ts';

export interface ArticleWorkflowInput {
  articleId: string;
}

export interface DeliveryWorkflowInput {
  articleId: string;
  destination: DestinationKey;
}

export interface DigestWorkflowInput {
  userId: string;
  /** `2026-11-23`: of the moment it was due, in its author's zone. */
  date: string;
}

export interface MailWorkflowInput {
  mailId: string;
}

export interface ImportWorkflowInput {
  importId: string;
  /** How often in a row the source could not be asked. */
  failures: number;
}

/** How far a sweep has come, where it continues as new; times in ISO 8601. */
export interface DigestSweepWorkflowInput {
  until: string | null;
  after: { dueAt: string; userId: string } | null;
  started: number;
}

/** Something about the article changed; `dispatch` counts its accepted publish requests, so a repeat is recognised. */
export interface ArticleChanged {
  dispatch: number;
}

export const articleChangedSignal = defineSignal<[ArticleChanged]>('articleChanged');

/** Plan again what this destination should carry. */
export const deliverSignal = defineSignal<[]>('deliver');

/** The article is not public any more: its copy is withdrawn at once, whatever is waited for. */
export const withdrawSignal = defineSignal<[]>('withdraw');

/** The author gave a command for this delivery: plan again at once, whatever it waits for. */
export const decidedSignal = defineSignal<[]>('decided');

/** The import was ordered or cancelled: look at its row. */
export const importChangedSignal = defineSignal<[]>('importChanged');

/** One line on what the workflow is doing, for the Temporal UI. */
export const statusQuery = defineQuery<string>('status');
