// Every place where media comes in by a request: another session's file is not found there, and large data becomes a
// file. `test/tenancy` has the routes; here is what their bodies may hold.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { CreatedInboundEndpoint } from "../../../protocol/inbound/contract.ts";
import { interruptId } from "../../../protocol/dialects/ag-ui/runs/interrupt-id.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { signToken } from "../../../storage/secrets/signed-token.ts";
import { parseWebhookSecret, signWebhook } from "../../../webhooks/webhook-signature.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { ask, openSession, refusalOf, type Answer } from "../support/api.ts";
import { externalResults, LABEL, openParked } from "../support/parked-session.ts";
import { block, LARGE, listKeys, PNG, upload } from "./files.ts";

type Parked = Awaited<ReturnType<typeof openParked>>;

interface Place {
  readonly title: string;
  /** The pointer of a refusal. */
  readonly pointer: string;
  /** A client sends it again with each run, so nothing in it is refused. */
  readonly takesNotes?: true;
  /** Whether it is in a session of its own. */
  readonly isState?: true;
  readonly send: (parked: Parked, source: object) => Promise<Answer<object>>;
}

const MISSING_CALL = "call_9";

function inState(title: string, at: string, state: (source: object) => object): Place {
  return {
    title,
    pointer: `#/${at}`,
    isState: true,
    async send({ call, agent }, source) {
      const { json } = await ask<{ id: string }>("POST", "/v1/sessions", {
        ...call,
        json: { agent_id: agent.id },
      });
      return ask("PUT", `/v1/sessions/${json.id}/state`, { ...call, json: state(source) });
    },
  };
}

function run({ call, agent, session }: Parked, body: object): Promise<Answer<object>> {
  const json = { threadId: session.id, runId: crypto.randomUUID(), messages: [], ...body };
  return ask("POST", `/v1/agents/${agent.id}/ag-ui`, { ...call, json });
}

/** A part of AG-UI for one of our sources. */
function partOf(source: object): object {
  const { type, url, data } = source as { type: string; url?: string; data?: string };
  return type === "url"
    ? { type: "image", source: { type: "url", value: url, mimeType: "image/png" } }
    : { type: "binary", data, mimeType: "image/png" };
}

const assistant = { role: "assistant", name: "Desk", id: "m1" };

const PLACES: readonly Place[] = [
  inState("a state's summary", "summary/0/source/url", (source) => ({ summary: [block(source)] })),
  inState("a result in a state", "context/0/content/1/output/0/source/url", (source) => ({
    context: [
      {
        ...assistant,
        content: [
          { type: "tool_call", id: MISSING_CALL, name: "t", input: "{}", state: "finished" },
          { type: "tool_result", id: MISSING_CALL, name: "t", output: [block(source)] },
        ],
      },
    ],
  })),
  inState("a hint in a state", "context/0/content/0/hint/0/source/url", (source) => ({
    context: [{ ...assistant, content: [{ type: "hint", hint: [block(source)] }] }],
  })),
  inState("a state of an older release", "context/0/content/0/source/url", (source) => ({
    context: [{ ...assistant, role: "user", content: [{ ...block(source), type: "image" }] }],
  })),
  {
    title: "an external result",
    pointer: "#/execution_results/0/output/0/source/url",
    send: ({ call, events, reply, pending }, source) =>
      ask("POST", events, { ...call, json: externalResults(reply, pending, [block(source)]) }),
  },
  {
    title: "an answer among many",
    pointer: "#/answers/0/event/execution_results/0/output/0/source/url",
    async send({ call, session, reply, pending }, source) {
      const event = externalResults(reply, pending, [block(source)]);
      const json = { answers: [{ session_id: session.id, event }] };
      const answer = await ask<{ data: readonly { ok: boolean; problem?: object }[] }>(
        "POST",
        "/v1/confirmations",
        { ...call, json },
      );
      const [outcome] = answer.json.data;
      const problem = outcome?.problem as { status: number } | undefined;
      return { ...answer, json: problem ?? {}, status: problem?.status ?? answer.status };
    },
  },
  {
    title: "a callback",
    pointer: "#/execution_results/0/output/0/source/url",
    async send({ tenantId, reply, pending }, source) {
      const claims = {
        tenant_id: tenantId,
        session_id: reply.session_id,
        reply_id: reply.id,
        tool_call_ids: pending.map(({ tool_call }) => tool_call.id),
        kind: "external_result",
        message_id: "whm_1",
        exp: Date.now() + 60_000,
      } as const;
      const token = await signToken("callback", claims, env.KEY_PEPPER);
      const json = externalResults(reply, pending, [block(source)]);
      return ask("POST", `/v1/callbacks/${token}`, { json });
    },
  },
  {
    title: "an inbound webhook",
    pointer: "#/event/execution_results/0/output/0/source/url",
    async send({ call, session, reply, pending }, source) {
      const made = await ask<CreatedInboundEndpoint>("POST", "/v1/inbound-endpoints", {
        ...call,
        json: { name: "Printer" },
      });
      const event = externalResults(reply, pending, [block(source)]);
      const body = JSON.stringify({ session_id: session.id, event });
      const timestamp = Math.floor(Date.now() / 1_000);
      const keys = parseWebhookSecret(made.json.secret) ?? [];
      const headers = {
        "Content-Type": "application/json",
        "webhook-id": "msg_1",
        "webhook-timestamp": String(timestamp),
        "webhook-signature": await signWebhook(keys, { id: "msg_1", timestamp, body }),
      };
      return ask("POST", `/v1/inbound/${made.json.id}`, { headers, body });
    },
  },
  {
    title: "a tool's message of AG-UI",
    pointer: "#/results/0/output/0/source/url",
    takesNotes: true,
    send: (parked, source) =>
      run(parked, {
        messages: [
          {
            role: "tool",
            id: "m1",
            toolCallId: parked.pending[0]?.tool_call.id,
            content: [partOf(source)],
          },
        ],
      }),
  },
  {
    title: "the payload that resumes a run of AG-UI",
    pointer: "#/resume/0/payload/output/0/source/url",
    send: (parked, source) =>
      run(parked, {
        resume: parked.pending.map(({ tool_call }) => ({
          interruptId: interruptId(parked.reply.id, tool_call.id),
          status: "resolved",
          payload: { output: [block(source)] },
        })),
      }),
  },
];

for (const [rows, breadth] of sampled(PLACES, 3))
  describe.each(rows)("$title", breadth, ({ pointer, send, takesNotes, isState }) => {
    test("names no file of another session, however its address is written", async () => {
      const parked = await openParked(LABEL);
      const other = await openSession();
      const { json: file } = await upload(other.call, PNG, {
        query: `?session_id=${other.session.id}`,
      });

      const seen = [];
      for (const url of [file.url, file.url.replace("https://api.test", "HTTPS://API.TEST:443")]) {
        seen.push(refusalOf((await send(parked, { type: "url", url })) as never));
      }
      // Addresses with characters that a URL parser leaves out. A state takes no such address.
      for (const url of [` ${file.url}`, file.url.replace("tps", "t\tps")]) {
        const { status } = await send(parked, { type: "url", url });
        expect([400, 404]).toContain(status);
      }

      expect(seen).toEqual(
        seen.map(() => ({ status: 404, code: "not_found", pointers: [pointer] })),
      );
    });

    test("brings large data as a file, and the log holds its address", BROAD, async () => {
      const parked = await openParked(LABEL);

      const answer = await send(parked, { type: "base64", data: LARGE });

      expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
      expect(await listKeys(parked.tenantId)).toHaveLength(1);
      const { json } = await ask<Page<LoggedEvent>>("GET", `${parked.path}/events`, parked.call);
      expect(Math.max(...json.data.map((event) => JSON.stringify(event).length))).toBeLessThan(
        4_096,
      );
    });

    test("has base64 put right, and takes nothing that is none", async () => {
      const parked = await openParked(LABEL);

      const broken = await send(parked, { type: "base64", data: "..." });
      const right = await send(parked, {
        type: "base64",
        data: "data:image/webp;base64,iVBO\r\nRw_-",
      });

      const { json } = await ask<Page<LoggedEvent>>("GET", `${parked.path}/events`, parked.call);
      if (takesNotes) {
        // The first answer counts.
        expect(broken.status).toBe(200);
        expect(JSON.stringify(json.data)).toContain("that is no base64]");
        return;
      }
      const at = pointer.replace(/url$/, "data");
      expect(refusalOf(broken as never)).toEqual({
        status: 400,
        code: "validation_failed",
        pointers: [at],
      });
      expect([right.status < 300, right.text]).toEqual([true, right.text]);
      if (!isState) expect(JSON.stringify(json.data)).toContain('"data":"iVBORw/+"');
    });

    test("keeps no large data in the log, however its address is written", BROAD, async () => {
      const parked = await openParked(LABEL);

      const { status } = await send(parked, {
        type: "url",
        url: ` d\nata:image/png;base64,${LARGE}`,
      });

      const { json } = await ask<Page<LoggedEvent>>("GET", `${parked.path}/events`, parked.call);
      expect(Math.max(...json.data.map((event) => JSON.stringify(event).length))).toBeLessThan(
        4_096,
      );
      expect((await listKeys(parked.tenantId)).length).toBe(status < 300 ? 1 : 0);
    });
  });

describe("an address of this platform that is written otherwise", () => {
  test.each([
    ["with a user", (url: string) => url.replace("https://", "https://key@")],
    ["with a query", (url: string) => `${url}?download=1`],
    ["with a fragment", (url: string) => `${url}#page=2`],
    ["with a slash at its end", (url: string) => `${url}/`],
    ["with an escape", (url: string) => url.replace("/files/", "/%66iles/")],
    ["with an id in capitals", (url: string) => url.replace(/fil_\w+/, (id) => id.toUpperCase())],
    ["of another part of it", (url: string) => url.replace("/content", "")],
  ])("%s is refused", async (_, change) => {
    const { call, path, session } = await openSession();
    const { json: file } = await upload(call, PNG, { query: `?session_id=${session.id}` });

    const input = [block({ type: "url", url: change(file.url) })];
    const answer = await ask("POST", `${path}/replies`, { ...call, json: { input } });

    expect([answer.status, answer.json.errors?.[0]?.pointer]).toEqual([
      400,
      "#/input/0/source/url",
    ]);
  });

  test("as a path of another host is an address like any other, and no file", async () => {
    const { call, path, session } = await openSession();
    const { json: file } = await upload(call, PNG, { query: `?session_id=${session.id}` });
    const url = file.url.replace("api.test", "api.test.");

    const json = { messages: { content: [block({ type: "url", url })] } };
    const { json: observed } = await ask<{ messages: readonly object[] }>(
      "POST",
      `${path}/observe`,
      { ...call, json },
    );

    expect(JSON.stringify(observed.messages)).toContain(url);
  });
});

describe("large data", () => {
  const bytes = encodeURIComponent("ä".repeat(60_000));

  test.each([
    ["with parameters", `data:image/png;name=a.png;base64,${LARGE}`],
    ["with escapes in it", `data:image/png;base64,${LARGE.replaceAll("e", "%65")}`],
    ["as text", `data:text/plain;charset=utf-8,${bytes}`],
  ])("in a data: address %s becomes a file", async (_, url) => {
    const { tenantId, call, path } = await openSession();

    const json = { messages: { content: [block({ type: "url", url })] } };
    const answer = await ask("POST", `${path}/observe`, { ...call, json });

    expect([answer.status, (await listKeys(tenantId)).length]).toEqual([201, 1]);
    expect(answer.text.length).toBeLessThan(4_096);
  });

  test.each([
    ["ends within a character", { type: "base64", data: `${LARGE.replaceAll("=", "")}A` }, "data"],
    ["has other characters", { type: "base64", data: "!".repeat(100_000) }, "data"],
    ["has no byte", { type: "base64", data: " ".repeat(100_000) }, "data"],
    ["is no data", { type: "url", url: `data:image/png;${"x".repeat(100_000)}` }, "url"],
  ])("that %s is refused", async (_, source, member) => {
    const { tenantId, call, path } = await openSession();

    const json = { messages: { content: [block(source)] } };
    const answer = await ask("POST", `${path}/observe`, { ...call, json });

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [`#/messages/content/0/source/${member}`],
    });
    expect(await listKeys(tenantId)).toEqual([]);
  });
});

test("what a provider has stored with a thought is no media, whatever it looks like", async () => {
  const { call, path } = await openSession();
  const thought = {
    type: "thinking",
    thinking: "Hm.",
    sources: [
      { type: "data", source: { type: "url", url: "http:::" } },
      { type: "data", source: {} },
    ],
  };

  const answer = await ask("PUT", `${path}/state`, {
    ...call,
    json: { context: [{ ...assistant, content: [thought] }] },
  });

  expect([answer.status, answer.text.includes('"sources":[{"type":"data"')]).toEqual([200, true]);
});
