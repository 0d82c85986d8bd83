// A session that follows its agent's newest version, while a voice connection is there.
import { expect, test } from "vitest";

import type { Msg } from "../../../protocol/messages/messages.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";
import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";
import { VoiceSocket } from "../support/voice-socket.ts";

const AGENT = {
  name: "Talker",
  model: { provider: "scripted", name: "plain" },
  voice: { mode: "realtime", model: { provider: "scripted" }, turns: { type: "manual" } },
} as const;
const HOOKS = [{ name: "guard", point: "pre_print", type: "http", url: FAILING_TOOL_URL }] as const;

/** A session of the newest version, in which one reply has been spoken. */
async function speakOnce() {
  const { call } = await makeTenant();
  const agent = await makeAgent(call, AGENT);
  const session = await makeSession(call, { agent_id: agent.id, agent_version: "latest" });
  const socket = await VoiceSocket.open(`/v1/sessions/${session.id}`, call);
  socket.send({ type: "text", text: "/say One." });
  await socket.until(() => socket.ends() === 1 && socket.heard.includes("One."));
  const change = (json: object) => ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json });
  return { call, path: `/v1/sessions/${session.id}`, socket, change };
}

test.each([
  ["has hooks that hold words back", { hooks: HOOKS }, "error"],
  ["has no voice", { voice: null }, "completed"],
])(
  "a realtime voice says nothing of a version that %s, and its client is told",
  async (_, json, reason) => {
    const { call, path, socket, change } = await speakOnce();
    expect((await change(json)).status).toBe(200);
    socket.send({ type: "text", text: "/say Two." });

    expect(await socket.closed).toEqual([4409, "voice_off"]);
    await waitFor(async () => {
      const { json: page } = await ask<{ data: Msg[] }>("GET", `${path}/messages`, call);
      expect(page.data.map(({ finished_reason }) => finished_reason)).toEqual([
        null,
        "completed",
        null,
        reason,
      ]);
    });
    expect(socket.heard).toEqual(["One."]);
  },
);
