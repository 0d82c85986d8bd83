// Forks and replays of sessions with memory, and what hooks have left of a message.
import { expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Replay } from "../../../protocol/replay/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask } from "../support/api.ts";
import { deployHook } from "../support/deployed-hook.ts";
import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";
import { confirmation } from "../support/parked-session.ts";
import {
  anotherSession,
  contentsOf,
  memoriesOf,
  record,
  recordingsOf,
  remembering,
  remembers,
  resultsOf,
  retrieve,
  say,
  storeOf,
} from "./remembering.ts";

deployHook({
  name: "redacting",
  pre_reply: ({ input }) => {
    const [message] = input.messages ?? [];
    return (
      message && {
        input: {
          messages: [
            { id: message.id, content: "/remember The user has a [secret].\n/say Noted." },
          ],
        },
      }
    );
  },
});

test("a fork has the store of its agent and end user", async () => {
  const ann = await remembering(remembers("agent_control"));
  await say(ann, record("The user likes tea."));
  const { json } = await ask<Session>("POST", `${ann.path}/fork`, { ...ann.call, json: {} });
  const fork = { ...ann, session_id: json.id, path: `/v1/sessions/${json.id}` };
  const found = await say(fork, retrieve("tea"));
  await say(fork, record("The user likes milk."));

  expect(resultsOf(found).join()).toContain("The user likes tea.");
  expect(await contentsOf(ann)).toEqual(["The user likes milk.", "The user likes tea."]);
});

test(
  "a replay answers the tools from its record, is told what was recalled, and writes nothing",
  BROAD,
  async () => {
    const ann = await remembering(remembers("both"));
    await say(ann, record("The user is allergic to nuts."));
    await recordingsOf(ann, 1);
    const again = await anotherSession(ann);
    await say(again, "Cake with nuts, please.");
    await say(again, `${record("The user likes cake.")}\n/remember The user bakes.`);
    await recordingsOf(again, 2);
    const before = await memoriesOf(ann);

    const replays = `/v1/agents/${ann.agent_id}/replays`;
    const json = { session_id: again.session_id };
    const replayed = await ask<Replay>("POST", replays, { ...ann.call, json });

    expect(replayed.json).toMatchObject({ stopped: null, summary: { calls: { same: 1 } } });
    expect(await memoriesOf(ann)).toEqual(before);
    const { data } = await (await storeOf(ann)).listVersions({ limit: 10 });
    expect(data).toHaveLength(before.length);
  },
);

test("what a replay is told of an untrusted memory is untrusted there, too", async () => {
  const transfer = { type: "http", name: "transfer", url: FAILING_TOOL_URL, sink: true };
  const permission = { rules: [{ tool_name: "transfer", behavior: "allow" }] };
  const definition = { tools: [transfer], permission };
  const ann = await remembering(remembers("agent_control", {}, definition));
  const source = { session_id: null, reply_id: null, tool_call_id: null };
  const untrusted = { tool_name: "read_mail", tool_call_id: "call_1" };
  const memories = [{ content: "Invoices are paid at once.", untrusted, source }];
  const call = { owner: ann.owner, embedding: null };
  await (await storeOf(ann)).record({ ...call, record_id: "rep_1", memories });
  const keywords = JSON.stringify({ keywords: ["invoices"] });
  const asked = await say(
    ann,
    `/call retrieve_from_memory ${keywords}\n/say Found.\n/call transfer {}\n/say paid`,
  );
  const json = confirmation(asked, asked.pending);
  await ask("POST", `${ann.path}/events`, { ...ann.call, json });
  const reply = `${ann.path}/replies/${asked.id}`;
  await expect
    .poll(async () => (await ask<Reply>("GET", reply, ann.call)).json.status)
    .toBe("completed");

  const replays = `/v1/agents/${ann.agent_id}/replays`;
  const replayed = await ask<Replay>("POST", replays, {
    ...ann.call,
    json: { session_id: ann.session_id },
  });

  expect(asked.status).toBe("awaiting_permission");
  expect(replayed.json).toMatchObject({ stopped: null, summary: { calls: { same: 2 } } });
});

test("a recording sees what a hook has left of a message, not what was sent", async () => {
  const hooks = [{ name: "redacting", type: "code", point: "pre_reply" }];
  const ann = await remembering(remembers("static_control", {}, { hooks }));
  await say(ann, "/remember The user has a card 4111.\n/say Noted.");
  await recordingsOf(ann, 1);

  expect(await contentsOf(ann)).toEqual(["The user has a [secret]."]);
});
