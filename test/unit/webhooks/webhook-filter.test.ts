import { describe, expect, it } from "vitest";

import { WEBHOOK_EVENT_TYPES } from "../../../protocol/webhooks/webhook-events.ts";
import { matchesWebhookFilter } from "../../../protocol/webhooks/webhook-filter.ts";

const REPLIES = ["reply.completed", "reply.failed", "reply.interrupted"];
const SESSIONS = ["session.created", "session.deleted"];

describe("matchesWebhookFilter", () => {
  it.each([
    [["*"], WEBHOOK_EVENT_TYPES],
    [["reply.*"], REPLIES],
    [["session.*"], SESSIONS],
    [
      ["reply.*", "session.*"],
      [...REPLIES, ...SESSIONS],
    ],
    [["confirmation.required"], ["confirmation.required"]],
    [["reply.completed", "reply.completed"], ["reply.completed"]],
    [[], []],
  ])("%j lets these through and nothing else", (filters, types) => {
    expect(WEBHOOK_EVENT_TYPES.filter((type) => matchesWebhookFilter(filters, type))).toEqual(
      types,
    );
  });

  it("takes a name that only begins like a group for no member of it", () => {
    expect(matchesWebhookFilter(["reply.*"], "replying.begun")).toBe(false);
    expect(matchesWebhookFilter(["session.*"], "session")).toBe(false);
  });
});
