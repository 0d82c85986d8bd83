// The receiver of the tests in workerd, which cannot listen themselves.
import type { TestProject } from "vitest/node";

import { startWebhookReceiver } from "./webhook-receiver.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Without a slash at its end. */
    readonly webhookReceiverUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const receiver = await startWebhookReceiver();
  project.provide("webhookReceiverUrl", receiver.url);
  return () => receiver.stop();
}
