// The document's example of hooks: one is registered under its name, and removed by its name.
import { expect, it } from "vitest";

import type { SessionHooks } from "../../../protocol/hooks/contract.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { HOOK_TIMEOUT_MS, openHookDesk } from "../../support/hook-desk.ts";
import type { AskedHook } from "../../support/hook-server.ts";
import { createTenant, request, type Answer } from "../../support/platform-client.ts";

const prefixed = ({ input }: AskedHook) => ({
  input: {
    messages: input.messages?.map(({ id, content }) => ({
      id,
      content: content.map((block) => ({ ...block, text: `[reviewed] ${block.text}` })),
    })),
  },
});

/** A session with hooks of its own at these points, all of one name, beside the agent's at `post_reply`. */
async function openDesk(points: readonly string[]) {
  const desk = await openHookDesk(["post_reply"], (asked) =>
    asked.point === "pre_reply" ? prefixed(asked) : undefined,
  );
  const { key, path, server } = desk;
  const hooks = points.map((point) => ({
    name: "add_prefix",
    point,
    type: "http" as const,
    url: server.url,
    timeout_ms: HOOK_TIMEOUT_MS,
  }));
  await request("PUT", `${path}/hooks`, { key, body: { hooks } });
  const remove = (query = "", more: { key?: string; headers?: Record<string, string> } = {}) =>
    request<SessionHooks & Problem>("DELETE", `${path}/hooks/${query}`, { key, ...more });
  const list = () => request<SessionHooks>("GET", `${path}/hooks`, { key });
  return { ...desk, remove, list };
}

interface Problem {
  readonly code: string;
  readonly detail: string;
}

function refusalOf({ status, body }: Answer<Problem>) {
  return [status, body.code, body.detail];
}

it("add_prefix is registered before a reply, and removed by its name later", async () => {
  const { key, path, say, remove } = await openDesk(["pre_reply"]);
  await say("one");
  const removed = await remove("add_prefix?point=pre_reply");
  await say("two");
  const context = await request<{ messages: { message: Msg }[] }>("GET", `${path}/context`, {
    key,
  });
  const asked = context.body.messages.filter(({ message }) => message.role === "user");

  expect([removed.status, removed.body.hooks, removed.body.version]).toEqual([200, [], 2]);
  expect(removed.body.agent_hooks).toHaveLength(1);
  expect(removed.headers.get("etag")).toBe('"2"');
  expect(asked.map(({ message }) => message.content)).toMatchObject([
    [{ type: "text", text: "[reviewed] one" }],
    [{ type: "text", text: "two" }],
  ]);
});

it("a name at several points is removed at the point that the request names", async () => {
  const { remove, list } = await openDesk(["pre_reply", "pre_acting", "post_acting"]);
  const everywhere = await remove("add_prefix");
  const one = await remove("add_prefix?point=pre_acting");
  const again = await remove("add_prefix?point=pre_acting");
  const { body } = await list();

  const detail = "the session has hooks of this name at pre_reply, pre_acting, post_acting";
  expect(refusalOf(everywhere)).toEqual([400, "validation_failed", detail]);
  expect(one.body.hooks.map(({ point }) => point)).toEqual(["pre_reply", "post_acting"]);
  const gone = "the session has no hook add_prefix at pre_acting of its own";
  expect(refusalOf(again)).toEqual([404, "not_found", gone]);
  expect([body.hooks, body.version]).toEqual([one.body.hooks, 2]);
});

it("a hook stays for another version, for the agent's own, and for who may not change hooks", async () => {
  const { key, path, remove, list } = await openDesk(["pre_reply"]);
  const before = await list();
  const stranger = await createTenant();
  const token = await request<{ token: string }>("POST", `${path}/tokens`, { key, body: {} });

  const older = await remove("add_prefix", { headers: { "If-Match": '"7"' } });
  expect(refusalOf(older)).toEqual([412, "version_mismatch", "the hooks are at version 1"]);
  const agents = "the session has no hook desk of its own";
  expect(refusalOf(await remove("desk"))).toEqual([404, "not_found", agents]);
  const nowhere = await remove("add_prefix?point=pre_everything");
  expect([nowhere.status, nowhere.body.code]).toEqual([400, "validation_failed"]);
  expect((await remove("add_prefix", { key: stranger.key })).status).toBe(404);
  expect((await remove("add_prefix", { key: token.body.token })).status).toBe(403);
  expect((await list()).body).toEqual(before.body);
});
