// Why a person denies a call, through every door that takes answers.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { CreatedInboundEndpoint } from "../../../protocol/inbound/contract.ts";
import type { Decision } from "../../../protocol/permission/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { ToolResultBlock } from "../../../protocol/messages/blocks.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { signToken } from "../../../storage/secrets/signed-token.ts";
import { ask, makeTenant, refusalOf, type Call } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { confirmation, openParked } from "../support/parked-session.ts";

const REASON = "The parcel never left.\nAsk the carrier.";
const JSON_TYPE = "application/json";

type Parked = Awaited<ReturnType<typeof openParked>>;
/** Gives the answer in one of the ways; the status of its response. */
type Door = (parked: Parked, reason: string) => Promise<number>;

/** A denial as every client may send it, with the hash. */
function denial({ reply, pending }: Parked, reason: unknown) {
  const [{ tool_call, input_hash }] = pending as [(typeof pending)[0]];
  return {
    ...confirmation(reply, []),
    metadata: { input_hashes: { [tool_call.id]: input_hash } },
    confirm_results: [{ confirmed: false, tool_call: { id: tool_call.id }, reason }],
  };
}

function post(parked: Parked, json: object, call: Call = parked.call) {
  return ask("POST", parked.events, { ...call, json });
}

const DOORS: Readonly<Record<string, Door>> = {
  "an API key": async (parked, reason) => (await post(parked, denial(parked, reason))).status,
  "a client token": async (parked, reason) => {
    const app = await mintCall(parked.path, parked.call, { verbs: ["confirm"] });
    return (await post(parked, denial(parked, reason), app)).status;
  },
  "a callback": async (parked, reason) => {
    const { tenantId: tenant_id, reply, pending } = parked;
    const { session_id, id: reply_id } = reply;
    const tool_call_ids = pending.map(({ tool_call }) => tool_call.id);
    const exp = Date.now() + 60_000;
    const claims = { tenant_id, session_id, reply_id, tool_call_ids, message_id: "whm_1", exp };
    const named = { ...claims, kind: "permission" } as const;
    const token = await signToken("callback", named, env.KEY_PEPPER);
    const json = denial(parked, reason);
    return (await ask("POST", `/v1/callbacks/${token}`, { json })).status;
  },
  "an inbound webhook": async (parked, reason) => {
    const { call, session } = parked;
    const json = { name: "Approvals" };
    const made = await ask<CreatedInboundEndpoint>("POST", "/v1/inbound-endpoints", {
      ...call,
      json,
    });
    const body = JSON.stringify({ session_id: session.id, event: denial(parked, reason) });
    const [id, at] = ["msg_1", new Date()];
    const headers = {
      "Content-Type": JSON_TYPE,
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(made.json.secret).sign(id, at, body),
    };
    return (await ask("POST", `/v1/inbound/${made.json.id}`, { headers, body })).status;
  },
  "the list of what waits": async (parked, reason) => {
    const { call, session } = parked;
    const json = { answers: [{ session_id: session.id, event: denial(parked, reason) }] };
    return (await ask("POST", "/v1/confirmations", { ...call, json })).status;
  },
  "a run of AG-UI": async (parked, reason) => {
    const { agent, call, session, reply, pending } = parked;
    const interruptId = `${reply.id}:${pending[0]?.tool_call.id}`;
    const payload = { approved: false, reason };
    const resume = [{ interruptId, status: "resolved", payload }];
    const json = { threadId: session.id, runId: crypto.randomUUID(), messages: [], resume };
    return (await ask("POST", `/v1/agents/${agent.id}/ag-ui`, { ...call, json })).status;
  },
  "a cancelled interrupt of AG-UI": async (parked, reason) => {
    const { agent, call, session, reply, pending } = parked;
    const interruptId = `${reply.id}:${pending[0]?.tool_call.id}`;
    const resume = [{ interruptId, status: "cancelled", payload: { reason } }];
    const json = { threadId: session.id, runId: crypto.randomUUID(), messages: [], resume };
    return (await ask("POST", `/v1/agents/${agent.id}/ag-ui`, { ...call, json })).status;
  },
  "a client that speaks AgentScope for Java": async (parked, reason) => {
    const { reply, pending } = parked;
    const toolCall = { id: pending[0]?.tool_call.id };
    const confirmResults = [{ confirmed: false, toolCall, reason }];
    const json = { type: "USER_CONFIRM_RESULT", replyId: reply.id, confirmResults };
    return (await post(parked, json)).status;
  },
};

async function lastDecision({ path, call }: Parked) {
  const { json } = await ask<Page<Decision>>("GET", `${path}/decisions?limit=1`, call);
  return json.data[0];
}

/** The result of the call once the reply has ended, and what the log says of the answer. */
async function outcomeOf({ path, call, reply }: Parked) {
  const read = () => ask<{ status: string }>("GET", `${path}/replies/${reply.id}`, call);
  await expect.poll(async () => (await read()).json.status).toBe("completed");
  const { json } = await ask<{ message: Msg }>("GET", `${path}/messages/${reply.id}`, call);
  const { json: page } = await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call);
  return {
    result: json.message.content.find((block): block is ToolResultBlock => {
      return block.type === "tool_result";
    }),
    answers: page.data.flatMap((event) =>
      event.type === "USER_CONFIRM_RESULT" ? event.confirm_results : [],
    ),
    end: page.data.find(({ type }) => type === "TOOL_RESULT_END"),
  };
}

describe("the reason of a denial", () => {
  test.each(Object.entries(DOORS))(
    "by %s is told to the model, logged, and in the record of decisions",
    async (_, door) => {
      const parked = await openParked();
      const status = await door(parked, ` ${REASON}\n`);
      const { result, answers, end } = await outcomeOf(parked);

      expect([200, 202]).toContain(status);
      expect(answers).toMatchObject([{ confirmed: false, reason: REASON }]);
      expect(result).toMatchObject({ state: "denied", metadata: { denial_reason: REASON } });
      expect(JSON.stringify(result?.output)).toContain(
        JSON.stringify(`it was not made. Their reason: ${REASON}`).slice(1, -1),
      );
      expect(end?.metadata).toEqual({ denial_reason: REASON });
      expect(await lastDecision(parked)).toMatchObject({ behavior: "deny", reason: REASON });
    },
  );

  test("is optional: without one nothing is said, and null is none", async () => {
    const parked = await openParked();
    const { status } = await post(parked, denial(parked, null));
    const { result, answers, end } = await outcomeOf(parked);

    expect([status, answers[0]]).toEqual([202, expect.not.objectContaining({ reason: null })]);
    expect([result?.state, result?.metadata, end?.metadata]).toEqual(["denied", {}, {}]);
    expect(JSON.stringify(result?.output)).toContain('it was not made."');
    expect((await lastDecision(parked))?.reason).toBeNull();
  });

  test("has 2,000 characters at most, and is a text", async () => {
    const parked = await openParked();
    const pointers = ["#/confirm_results/0/reason"];
    const refused = { status: 400, code: "validation_failed", pointers };

    expect(refusalOf(await post(parked, denial(parked, "x".repeat(2_001))))).toEqual(refused);
    expect(refusalOf(await post(parked, denial(parked, { text: "no" })))).toEqual(refused);
    const { status } = await post(parked, denial(parked, "x".repeat(2_000)));
    const { result } = await outcomeOf(parked);
    expect([status, result?.metadata]).toEqual([202, { denial_reason: "x".repeat(2_000) }]);
  });

  test("is refused in the metadata, where it was once, and the empty record of earlier SDKs is not", async () => {
    const parked = await openParked();
    const { metadata, ...event } = denial(parked, undefined);
    const withReasons = (reasons: unknown) => ({ ...event, metadata: { ...metadata, reasons } });
    const refused = await post(parked, withReasons({ call_1: REASON }));
    const answered = await post(parked, withReasons({}));

    expect([refusalOf(refused), refused.json.errors?.[0]?.detail, answered.status]).toEqual([
      { status: 400, code: "validation_failed", pointers: ["#/metadata/reasons"] },
      "a reason is given as `reason` of its entry of confirm_results",
      202,
    ]);
  });

  test(
    "makes another answer: the same one again is recognised, with another reason it comes too late",
    BROAD,
    async () => {
      const parked = await openParked();
      await post(parked, denial(parked, REASON));
      const again = [REASON, undefined, "Too much."].map((reason) => denial(parked, reason));
      const answers = await Promise.all(again.map((json) => post(parked, json)));

      expect(answers.map(({ json }) => [json.code, json["same_answer"]])).toEqual([
        ["confirmation_used", true],
        ["confirmation_used", true],
        ["confirmation_used", false],
      ]);
      expect((await lastDecision(parked))?.reason).toBe(REASON);
    },
  );

  test("of another tenant reaches nothing", async () => {
    const [parked, stranger] = [await openParked(), await makeTenant()];
    const refused = await post(parked, denial(parked, REASON), stranger.call);
    const json = { answers: [{ session_id: parked.session.id, event: denial(parked, REASON) }] };
    const bulk = await ask<{ data: readonly object[] }>("POST", "/v1/confirmations", {
      ...stranger.call,
      json,
    });

    expect(refusalOf(refused)).toEqual({ status: 404, code: "not_found", pointers: undefined });
    expect(bulk.json.data).toMatchObject([{ ok: false, problem: { code: "not_found" } }]);
    expect(await lastDecision(parked)).toMatchObject({ behavior: "ask" });
    expect(JSON.stringify(await ask("GET", parked.path, parked.call))).not.toContain("parcel");
  });
});

test("the reason of an approval is in the record of decisions, and the model does not see it", async () => {
  const parked = await openParked();
  const event = denial(parked, "Ann has looked at it.");
  const confirm_results = event.confirm_results.map((result) => ({ ...result, confirmed: true }));
  await post(parked, { ...event, confirm_results });
  const { result } = await outcomeOf(parked);

  expect(await lastDecision(parked)).toMatchObject({
    behavior: "allow",
    reason: "Ann has looked at it.",
  });
  expect(JSON.stringify(result)).not.toContain("Ann");
});

test(
  "a reason that was stored in the metadata is still in the record of decisions",
  BROAD,
  async () => {
    const parked = await openParked();
    await post(parked, denial(parked, REASON));
    await outcomeOf(parked);
    const id = parked.pending[0]?.tool_call.id ?? "";
    const object = env.SESSION.getByName(sessionObjectName(parked.tenantId, parked.session.id));
    // The event as it was written before entries had reasons.
    const moved = await runInDurableObject(object, (_, { storage }) => {
      const rows = storage.sql.exec<{ seq: number; frames: ArrayBuffer }>(
        "SELECT seq, frames FROM events",
      );
      const said = JSON.stringify(REASON);
      return [...rows].map(({ seq, frames }) => {
        const text = new TextDecoder().decode(frames);
        const older = text
          .replace(`,"reason":${said}`, "")
          .replace(
            '"metadata":{"input_hashes"',
            `"metadata":{"reasons":{"${id}":${said}},"input_hashes"`,
          );
        if (!text.includes('"USER_CONFIRM_RESULT"') || older === text) return 0;
        const bytes = new TextEncoder().encode(older);
        storage.sql.exec("UPDATE events SET frames = ? WHERE seq = ?", bytes, seq);
        return 1;
      });
    });

    expect(moved.filter((changed) => changed === 1)).toHaveLength(1);
    expect(await lastDecision(parked)).toMatchObject({ behavior: "deny", reason: REASON });
  },
);
