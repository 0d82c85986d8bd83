// Webhooks of a trigger by base URL alone, in the four forms: taken once, and refused when forged, late, oversized or doubled.
import { inject } from "vitest";
import { describe, expect, it } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import {
  WebhookFormSchema,
  type CreatedTrigger,
  type TriggerRun,
  type WebhookForm,
} from "../../../protocol/triggers/contract.ts";
import type { TriggerReceipt } from "../../../protocol/triggers/receipts.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { SENDER_SECRETS, signDelivery } from "../../support/sender-signatures.ts";
import { waitFor } from "../../support/wait-for.ts";

const FORMS = WebhookFormSchema.options;
const TIMED = ["standard", "stripe", "slack"] as const;
const PAYLOAD = { issue: { title: "The lamp is broken", number: 7 } };
/** A byte more than a body may have, with what is around it. */
const TOO_MANY_BYTES = 1_000_001;

interface Sent {
  readonly id?: string;
  readonly secret?: string;
  /** Seconds from now. */
  readonly at?: number;
  readonly payload?: object;
  readonly body?: string;
  readonly contentType?: string;
}

interface StoredMessages {
  readonly data: readonly {
    readonly role: string;
    readonly metadata: object;
    readonly content: unknown;
  }[];
}

/** A trigger with a webhook in this form, and what its sender does. */
async function openDoor(form: WebhookForm, definition: object = {}, agent: object = {}) {
  const { key } = await createTenant();
  const agent_id = await createAgent(key, agent);
  const made = await request<CreatedTrigger>("POST", "/v1/triggers", {
    key,
    body: {
      name: "Issues",
      agent_id,
      input: "/say Seen: {issue/title}",
      webhook: { form, secret: SENDER_SECRETS[form] },
      ...definition,
    },
  });
  expect([made.status, made.body.webhook?.secret]).toEqual([201, SENDER_SECRETS[form]]);
  const { id, webhook } = made.body;
  const path = new URL(webhook?.url ?? "").pathname;
  const trigger = `/v1/triggers/${id}`;

  async function send({ id = "dlv_1", at = 0, payload = PAYLOAD, ...more }: Sent = {}) {
    const seconds = Math.floor(Date.now() / 1_000) + at;
    const { headers, body } = signDelivery(form, { id, seconds, payload, ...more });
    return post(headers, body);
  }

  async function post(headers: Readonly<Record<string, string>>, body: string, to = path) {
    const answer = await request<TriggerReceipt & { code?: string }>("POST", to, {
      headers,
      body,
    });
    return { status: answer.status, ...answer.body };
  }

  const runs = async () =>
    (await request<Page<TriggerRun>>("GET", `${trigger}/runs`, { key })).body.data;
  const read = async (runId: string) =>
    (await request<TriggerRun>("GET", `${trigger}/runs/${runId}`, { key })).body;
  const ended = (runId: string) =>
    waitFor(async () => {
      const run = await read(runId);
      if (run.ended_at === null) throw new Error(`the run is ${run.status}`);
      return run;
    });

  async function messagesOf({ session_id }: TriggerRun) {
    const path = `/v1/sessions/${session_id}/messages`;
    return (await request<StoredMessages>("GET", path, { key })).body.data;
  }

  return { key, path, trigger, send, post, runs, read, ended, messagesOf };
}

describe.each(FORMS)("a webhook in the form %s", (form) => {
  it("begins one run for a delivery, however often it comes", async () => {
    const door = await openDoor(form);
    const first = await door.send();
    const again = await door.send();
    const run = await door.ended(first.trigger_run_id);
    const once_more = await door.send();
    const [input] = await door.messagesOf(run);

    expect([first.status, first.applied]).toEqual([202, true]);
    expect([again, once_more]).toEqual([
      { status: 202, trigger_run_id: first.trigger_run_id, applied: false },
      { status: 202, trigger_run_id: first.trigger_run_id, applied: false },
    ]);
    expect(run).toMatchObject({
      status: "succeeded",
      trigger_context: {
        type: "webhook",
        sender_id: "dlv_1",
        payload_sha256: expect.stringMatching(/^sha256:[\da-f]{64}$/),
      },
    });
    expect(JSON.stringify(input?.content)).toContain("/say Seen: The lamp is broken");
    expect(input?.metadata).toMatchObject({
      untrusted: { tool_name: "trigger:Issues", tool_call_id: run.id },
    });
    expect(await door.runs()).toHaveLength(1);
  });

  it("begins one run for deliveries that come at the same time, and one for each other id", async () => {
    const door = await openDoor(form, { overlap: "allow" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => door.send()));
    const others = await Promise.all(["dlv_3", "dlv_2"].map((id) => door.send({ id })));

    expect(new Set(answers.map(({ trigger_run_id: id }) => id)).size).toBe(1);
    expect(answers.filter(({ applied }) => applied)).toHaveLength(1);
    expect(others.map(({ applied }) => applied)).toEqual([true, true]);
    expect(await door.runs()).toHaveLength(3);
  });

  it("is refused when it is forged, and begins nothing", async () => {
    const door = await openDoor(form);
    const seconds = Math.floor(Date.now() / 1_000);
    const good = signDelivery(form, { id: "dlv_1", seconds, payload: PAYLOAD });
    const unsigned = { "content-type": "application/json" };
    const answers = [
      await door.send({
        secret: form === "standard" ? `whsec_${"A".repeat(43)}=` : "another-secret",
      }),
      await door.post(good.headers, good.body.replace("lamp", "lump")),
      await door.post(unsigned, good.body),
    ];

    expect(answers.map(({ status, code }) => [status, code])).toEqual(
      answers.map(() => [401, "signature_invalid"]),
    );
    expect(await door.runs()).toEqual([]);
  });

  it("is refused with more bytes than a body may have, signed or not", async () => {
    const door = await openDoor(form);
    const body = JSON.stringify({ id: "evt_1", event_id: "evt_1", x: "x".repeat(TOO_MANY_BYTES) });
    const { status, code } = await door.send({ body });

    expect([status, code]).toEqual([413, "body_too_large"]);
    expect(await door.runs()).toEqual([]);
  });

  it("is refused where its payload cannot be read", async () => {
    const door = await openDoor(form);
    const broken = await door.send({ body: "{" });
    const media = await door.send({ contentType: "text/plain" });

    expect([broken.status, broken.code]).toEqual([400, "malformed_json"]);
    expect(media.status).toBe(415);
    expect(await door.runs()).toEqual([]);
  });
});

describe.each(TIMED)("the time of a webhook in the form %s", (form) => {
  it("is five minutes away at most, in both directions", async () => {
    const door = await openDoor(form, { overlap: "allow" });
    const statuses: number[] = [];
    for (const at of [-310, 310, -290, 290]) {
      statuses.push((await door.send({ id: `dlv_${at}`, at })).status);
    }

    expect(statuses).toEqual([401, 401, 202, 202]);
    expect(await door.runs()).toHaveLength(2);
  });
});

describe("webhooks that come in another order than they were sent", () => {
  it.each(TIMED)("are runs in the order in which they came: %s", async (form) => {
    const door = await openDoor(form, {
      session: { mode: "keyed", key: { pointer: "/issue/number" } },
      overlap: "queue",
    });
    const sent = [
      { id: "dlv_3", at: 0 },
      { id: "dlv_1", at: -120 },
      { id: "dlv_2", at: -60 },
    ];
    const ids: string[] = [];
    for (const one of sent) ids.push((await door.send(one)).trigger_run_id);
    const runs: TriggerRun[] = [];
    for (const id of ids) runs.push(await door.ended(id));
    const replayed = await door.send({ id: "dlv_1", at: -120 });

    expect(runs.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(new Set(runs.map(({ session_id }) => session_id)).size).toBe(1);
    expect(runs.map(({ started_at }) => started_at)).toEqual(
      runs.map(({ started_at }) => started_at).toSorted(),
    );
    expect(replayed).toEqual({ status: 202, trigger_run_id: ids[1], applied: false });
  });
});

describe("the address of a webhook", () => {
  it("is refused when it is made up, another trigger's, paused or gone", async () => {
    const [door, other] = [await openDoor("github"), await openDoor("github")];
    const seconds = 0;
    const secret = "of another tenant";
    const foreign = signDelivery("github", { id: "dlv_1", seconds, secret, payload: PAYLOAD });
    const good = signDelivery("github", { id: "dlv_1", seconds, payload: PAYLOAD });
    const [head, claims, signature] = door.path.split(".");
    const made = await Promise.all(
      [
        `${door.path}x`,
        `${head}.${claims}`,
        `${head}.${other.path.split(".")[1]}.${signature}`,
        "/v1/trigger-webhooks/trg_01kaj2vf3h8m2p6r0t4w7y1a5f",
      ].map((path) => door.post(good.headers, good.body, path)),
    );
    const crossed = await other.post(foreign.headers, foreign.body);
    await request("POST", `${door.trigger}/pause`, { key: door.key });
    const paused = await door.send();
    await request("DELETE", door.trigger, { key: door.key });
    const gone = await door.send();

    expect(made.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect([crossed.status, crossed.code]).toEqual([401, "signature_invalid"]);
    expect([paused.status, paused.code]).toEqual([409, "trigger_paused"]);
    expect([gone.status, gone.code]).toEqual([404, "not_found"]);
  });

  it("takes two secrets while one is rotated, and no secret is shown again", async () => {
    const door = await openDoor("standard", { overlap: "allow" });
    const rotate = (overlap_ms: number) =>
      request<CreatedTrigger>("POST", `${door.trigger}/rotate-secret`, {
        key: door.key,
        body: { overlap_ms },
      });
    const first = (await rotate(60_000)).body.webhook?.secret ?? "";
    const both = [await door.send({ id: "a" }), await door.send({ id: "b", secret: first })];
    const second = (await rotate(0)).body.webhook?.secret ?? "";
    const after = [
      await door.send({ id: "c" }),
      await door.send({ id: "d", secret: first }),
      await door.send({ id: "e", secret: second }),
    ];
    const shown = await request("GET", door.trigger, { key: door.key });

    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(after.map(({ status }) => status)).toEqual([401, 401, 202]);
    expect(JSON.stringify(shown.body)).not.toContain("whsec_");
  });
});

describe("trials of an address", () => {
  it("begin nothing, and Slack gets its challenge back", async () => {
    const [github, slack] = [await openDoor("github"), await openDoor("slack")];
    const signed = signDelivery("github", { id: "dlv_1", seconds: 0, payload: {} });
    const ping = await github.post({ ...signed.headers, "X-GitHub-Event": "ping" }, signed.body);
    const challenge = await slack.send({ payload: { type: "url_verification", challenge: "abc" } });

    expect(ping).toEqual({ status: 204 });
    expect(challenge).toEqual({ status: 200, challenge: "abc" });
    expect([await github.runs(), await slack.runs()]).toEqual([[], []]);
  });
});

describe("a payload", () => {
  it("comes as a form where its sender sends forms", async () => {
    const door = await openDoor("slack", { input: "/say {command} {text}" });
    const body = "command=%2Frefund&text=A-1003&trigger_id=398738663015.47";
    const sent = await door.send({ contentType: "application/x-www-form-urlencoded", body });
    const run = await door.ended(sent.trigger_run_id);
    const [input] = await door.messagesOf(run);

    expect(run).toMatchObject({
      status: "succeeded",
      trigger_context: { sender_id: "398738663015.47" },
    });
    expect(JSON.stringify(input?.content)).toContain("/say /refund A-1003");
  });

  it("says whose the run is, behind the trigger's own prefix", async () => {
    const door = await openDoor("github", {
      end_user_id: { pointer: "/sender/login", prefix: "github:" },
    });
    const sent = await door.send({ payload: { ...PAYLOAD, sender: { login: "ann" } } });
    const nobody = await door.send({ id: "dlv_2" });
    const run = await door.ended(sent.trigger_run_id);
    const session = await request("GET", `/v1/sessions/${run.session_id}`, { key: door.key });

    expect(session.body["end_user_id"]).toBe("github:ann");
    expect([nobody.status, nobody.code]).toEqual([400, "validation_failed"]);
    expect(await door.runs()).toHaveLength(1);
  });

  it("makes sinks ask, which a run denies, unless the trigger vouches for it", async () => {
    const sink = {
      tools: [
        {
          type: "http",
          name: "lookup_order",
          url: `${inject("toolsUrl")}/lookup_order`,
          input_schema: { type: "object", properties: { order_id: { type: "string" } } },
          sink: true,
        },
      ],
      permission: { rules: [{ tool_name: "lookup_order", behavior: "allow" }] },
      model: { provider: "scripted", name: "scripted" },
    };
    const definition = { input: "{order}" };
    const payload = { order: '/call lookup_order {"order_id":"A-1003"}\n/say Done.' };
    const statesOf = async (more: object) => {
      const door = await openDoor("github", { ...definition, ...more }, sink);
      const { trigger_run_id } = await door.send({ payload });
      const messages = await door.messagesOf(await door.ended(trigger_run_id));
      return JSON.stringify(messages).match(/Untrusted content: the result of trigger:Issues/g);
    };

    expect(await statesOf({})).not.toBeNull();
    expect(await statesOf({ returns_untrusted: false })).toBeNull();
  });
});
