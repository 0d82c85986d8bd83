// Functions as hooks: those that the deployment has no more, and those that are called with events.
import { expect, it } from "vitest";

import type { RegisteredHook } from "../../../agent/hooks/hook-runner.ts";
import { ReplyHooks } from "../../../agent/hooks/reply-hooks.ts";
import { HOOK_POINTS, type HookPoint } from "../../../protocol/hooks/events.ts";
import { MemoryLog } from "../../support/memory-log.ts";

function registered(
  point: HookPoint,
  type: "code" | "http",
  on_failure: "open" | "closed" = "closed",
): RegisteredHook {
  const head = { name: "desk", point, timeout_ms: 1_000, on_failure };
  const definition =
    type === "code" ? { ...head, type } : { ...head, type, url: "https://shop.example/" };
  return { origin: "agent", definition };
}

function hooksOf(
  hooks: readonly RegisteredHook[],
  missing: readonly RegisteredHook[] = [],
  log = new MemoryLog(),
) {
  return new ReplyHooks({
    hooks,
    runner: { ask: async () => ({ ok: true, answer: null }) },
    log,
    session_id: "ses_1",
    end_user_id: null,
    newId: (prefix) => `${prefix}_1`,
    stop: new AbortController().signal,
    hash: async (text) => text,
    missing,
  });
}

it.each(["open", "closed"] as const)(
  "one that the deployment has no more is noted once, and the reply goes on with %s as it says",
  (on_failure) => {
    const log = new MemoryLog();
    const gone = [registered("pre_print", "code", on_failure)];
    const hooks = hooksOf([], gone, log);
    const again = hooksOf([], gone, MemoryLog.reopen(log));

    expect(log.events.slice(1)).toMatchObject([
      {
        type: "CUSTOM",
        name: "hook_answered",
        reply_id: "rep_1",
        value: {
          reply_id: "rep_1",
          id: "rep_1:pre_print:agent:desk",
          hook: "desk",
          point: "pre_print",
          step: null,
          outcome: "failed",
          failure: { kind: "not_found", on_failure },
        },
      },
    ]);
    expect([hooks, again].map((each) => each.ending()?.finished_reason)).toEqual(
      on_failure === "closed" ? ["error", "error"] : [undefined, undefined],
    );
    expect(log.events).toHaveLength(2);
  },
);

it("one that the deployment has no more is not noted of a reply that has ended", () => {
  const log = new MemoryLog();
  const end = { session_id: "ses_1", reply_id: "rep_1", finished_reason: "completed" } as const;
  log.append([{ type: "REPLY_END", ...end, error: null, metadata: {} }]);
  hooksOf([], [registered("pre_print", "code")], log);

  expect(log.types).toEqual(["REPLY_START", "REPLY_END"]);
});

it("one at pre_print is not asked, since it is called with each event", () => {
  const hooks = hooksOf([
    registered("pre_print", "code"),
    registered("pre_reply", "code"),
    registered("post_reply", "http"),
  ]);

  expect(HOOK_POINTS.filter((point) => hooks.has(point))).toEqual(["pre_reply", "post_reply"]);
  expect(hooksOf([registered("pre_print", "http")]).has("pre_print")).toBe(true);
});
