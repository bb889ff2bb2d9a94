/** Workflow inputs, signals and queries: ids and numbers only, no article body and no secret. */
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
  /** `2026-11-23`: the due date in the author's time zone. */
  date: string;
}

export interface MailWorkflowInput {
  mailId: string;
}

export interface ImportWorkflowInput {
  importId: string;
  /** Consecutive failed requests to the source. */
  failures: number;
}

/** The progress of a sweep that continues as new; times in ISO 8601. */
export interface DigestSweepWorkflowInput {
  until: string | null;
  after: { dueAt: string; userId: string } | null;
  started: number;
}

/** The article changed: read its row again. */
export const articleChangedSignal = defineSignal<[]>('articleChanged');

/** The delivery may need a new plan. */
export const deliverSignal = defineSignal<[]>('deliver');

/** The article is not public any more: withdraw its copy now, ending any pause. */
export const withdrawSignal = defineSignal<[]>('withdraw');

/** The author sent a command for this delivery: plan again now, ending any pause. */
export const commandSignal = defineSignal<[]>('command');

/** The import was started or cancelled: read its row again. */
export const importChangedSignal = defineSignal<[]>('importChanged');

/** A one-line status for the Temporal UI. */
export const statusQuery = defineQuery<string>('status');
