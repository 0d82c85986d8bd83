// Hooks in front of calls whose tools are switched meanwhile.
import { expect, it, onTestFinished } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import { startHookServer } from "../../support/hook-server.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { answer, startToolServer } from "../../support/tool-server.ts";

it("a call whose tool is switched on while a hook answers about another one is shown to the hook before it runs", async () => {
  let asked: () => void = () => undefined;
  let release: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const guard = await startHookServer(async ({ input }) => {
    if (input.tool_call?.name === "open_page") return { action: "block", reason: "Not today." };
    asked();
    await isReleased;
    return undefined;
  });
  const tools = await startToolServer({
    "/note": answer("noted", "text/plain"),
    "/page": answer("a page", "text/plain"),
  });
  onTestFinished(() => guard.stop());
  onTestFinished(() => tools.stop());
  const flags = { type: "http", read_only: true, concurrency_safe: true };
  const { key } = await createTenant();
  const agent = await createAgent(key, {
    tools: [
      { ...flags, name: "note", url: `${tools.url}/note` },
      { ...flags, name: "open_page", url: `${tools.url}/page` },
    ],
    tool_groups: [{ name: "web", description: "Web pages.", tools: ["open_page"] }],
    meta_tool: true,
    hooks: [
      { name: "guard", point: "pre_acting", type: "http", url: guard.url, timeout_ms: 30_000 },
    ],
  });
  const path = `/v1/sessions/${await createSession(key, agent)}`;
  const minted = await request<{ readonly token: string }>("POST", `${path}/tokens`, {
    key,
    body: { verbs: ["read", "reply"] },
  });
  const input = "/call note {}\n/call open_page {}\n/then\n/say done";
  const saying = request<Reply>("POST", `${path}/replies`, { key, body: { input } });
  await isAsked;
  const switched = await request("PUT", `${path}/tool-groups`, {
    key: minted.body.token,
    body: { groups: [{ name: "web", switched: "on" }] },
  });
  release();
  const { body } = await saying;

  expect([switched.status, body.status]).toEqual([200, "completed"]);
  expect(guard.asked.map(({ input: { tool_call } }) => tool_call?.name)).toEqual([
    "note",
    "open_page",
  ]);
  expect(tools.requests.map(({ path: place }) => place)).toEqual(["/note"]);
});
