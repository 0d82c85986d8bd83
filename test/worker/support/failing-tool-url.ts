import { inject } from "vitest";

/** A server on this machine, the only one to which plain http goes; it answers 404 at once. */
export const FAILING_TOOL_URL = `${inject("webhookReceiverUrl")}/tool/404`;
