// A reply that the app's own functions keep going, against a platform that says exactly when they are needed.
import { describe, expect, it } from "vitest";

import { ConnectionError, type PendingCall, type ReplyStatus } from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { cut, failure, frame, json, startStage, stream, type Scene } from "./stage.ts";

const START = frame(1, "REPLY_START", { name: "Desk", role: "assistant" });
const END = frame(3, "REPLY_END", { finished_reason: "completed", error: null });
const nothing = json(204, {});
const receipt = json(202, { reply: null, cursor: 2, applied: true });

function waiting(id: string, name: string, kind: PendingCall["kind"] = "external_result") {
  const tool_call = { type: "tool_call", id, name, input: `{"call":"${id}"}` };
  return { kind, tool_call, input_hash: `sha256:${id}`, expires_at: null, suggested_rules: [] };
}

function reply(status: ReplyStatus, ...pending: object[]): Scene {
  return json(200, { id: "rep_1", status, pending, cursor: 1, message: null });
}

function refuse(code: string): Scene {
  return json(409, { code, detail: "no", request_id: "req_1" });
}

/** Events that were posted after the reply's start. */
function posted(requests: readonly { readonly path: string; readonly body: unknown }[]) {
  return requests.filter(({ path }) => path.endsWith("/events")).map(({ body }) => body);
}

const label = waiting("c1", "print_label");
const parked = [stream(START), nothing, reply("awaiting_external_result", label)];

describe("a reply with tools", () => {
  it("runs them where it waits for them, and goes on to its end in one iteration", async () => {
    const { reprise, requests } = await startStage([...parked, receipt, stream(END)]);
    const seen: unknown[] = [];
    const states: string[] = [];

    const events = await collect(
      reprise.session("ses_1").reply("Hi", {
        tools: {
          print_label: (input: { call?: string }, call) => {
            seen.push(input, call);
            return `label of ${input.call}`;
          },
        },
        onConnectionChange: (state) => states.push(state),
      }),
    );

    expect(events.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(seen).toEqual([{ call: "c1" }, label]);
    expect(posted(requests)).toEqual([
      {
        type: "EXTERNAL_EXECUTION_RESULT",
        reply_id: "rep_1",
        execution_results: [{ id: "c1", output: "label of c1" }],
      },
    ]);
    expect(states).toEqual(["connecting", "open", "closed"]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("No paper."))],
    ["gives an error", () => ({ output: "No paper.", state: "error" as const })],
  ])("says so to the model when one of them %s", async (_, print_label) => {
    const { reprise, requests } = await startStage([...parked, receipt, stream(END)]);

    await collect(reprise.session("ses_1").reply("Hi", { tools: { print_label } }));

    expect(posted(requests)).toMatchObject([
      { execution_results: [{ id: "c1", output: "No paper.", state: "error" }] },
    ]);
  });

  it.each([
    ["this app", { onConfirm: () => ({}) }, [receipt]],
    ["somebody else", {}, []],
  ])("runs the one that %s was asked about before", async (_, options, answered) => {
    const asking = waiting("c1", "print_label", "permission");
    const { reprise, requests } = await startStage([
      stream(START),
      nothing,
      reply("awaiting_permission", asking),
      ...answered,
      nothing,
      reply("awaiting_external_result", label),
      receipt,
      stream(END),
    ]);
    const reading = reprise.session("ses_1").reply("Hi", {
      tools: { print_label: () => "printed" },
      ...options,
    });

    const events = await collect(reading);
    if (reading.status !== "completed") events.push(...(await collect(reading)));

    expect(events.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(posted(requests).at(-1)).toEqual({
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: "rep_1",
      execution_results: [{ id: "c1", output: "printed" }],
    });
  });

  it("leaves others' calls, and ends where it waits for them", async () => {
    const { reprise, requests } = await startStage([
      stream(START),
      nothing,
      reply(
        "awaiting_permission",
        waiting("c1", "toString"),
        waiting("c2", "print_label", "permission"),
      ),
    ]);
    const print_label = () => "never";

    const events = await collect(reprise.session("ses_1").reply("Hi", { tools: { print_label } }));

    expect(events.map(({ seq }) => seq)).toEqual([1]);
    expect(posted(requests)).toEqual([]);
  });

  it("runs one once, however often its result has to be posted", async () => {
    const { reprise, requests } = await startStage(
      [...parked, cut, nothing, reply("awaiting_external_result", label), receipt, stream(END)],
      { maxRetries: 0 },
    );
    let runs = 0;
    const print_label = () => `run ${(runs += 1)}`;

    const events = await collect(reprise.session("ses_1").reply("Hi", { tools: { print_label } }));

    expect([runs, events.length]).toEqual([1, 2]);
    expect(posted(requests)).toEqual(Array(2).fill(posted(requests)[0]));
  });

  it.each(["call_not_pending", "confirmation_used"])(
    "goes on when somebody else was first: %s",
    async (code) => {
      const { reprise } = await startStage([...parked, refuse(code), stream(END)]);

      const events = await collect(
        reprise.session("ses_1").reply("Hi", { tools: { print_label: () => "late" } }),
      );

      expect(events.map(({ seq }) => seq)).toEqual([1, 3]);
    },
  );

  it("fails when the platform refuses a result for another reason", async () => {
    const { reprise } = await startStage([...parked, refuse("validation_failed")]);

    const reading = collect(
      reprise.session("ses_1").reply("Hi", { tools: { print_label: () => "x" } }),
    );

    expect(await failure(reading)).toMatchObject({ code: "validation_failed" });
  });

  it("goes on reading where the reply goes on by itself", async () => {
    const { reprise, requests } = await startStage([
      stream(START),
      nothing,
      reply("running"),
      stream(END),
    ]);

    const events = await collect(reprise.session("ses_1").reply("Hi", { tools: {} }));

    expect(events.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(requests).toHaveLength(4);
  });

  it("waits through a pause with follow, also when that stream is cut", async () => {
    const { reprise, requests } = await startStage([
      stream(START),
      nothing,
      stream(": still here\n\n", { isCut: true }),
      nothing,
      stream(END),
    ]);

    const events = await collect(reprise.session("ses_1").reply("Hi", { follow: true }));

    expect(events.map(({ seq }) => seq)).toEqual([1, 3]);
    const read = "/v1/sessions/ses_1/events?after=1&reply_id=rep_1";
    expect(requests.slice(1).map(({ path }) => path)).toEqual([
      read,
      `${read}&follow=session`,
      read,
      `${read}&follow=session`,
    ]);
  });

  it("ends with the signal's reason while one of them runs, and tells it", async () => {
    const { reprise } = await startStage(parked);
    const abort = new AbortController();
    let told: unknown;
    const print_label = (_input: object, _call: PendingCall, signal?: AbortSignal) => {
      signal?.addEventListener("abort", () => (told = signal.reason));
      queueMicrotask(() => abort.abort("the screen was closed"));
      return new Promise<string>(() => undefined);
    };

    const reading = collect(
      reprise.session("ses_1").reply("Hi", { tools: { print_label }, signal: abort.signal }),
    );

    expect(await failure(reading)).toBe("the screen was closed");
    expect(told).toBe("the screen was closed");
  });

  it("gives up like any reading when the platform stays away", async () => {
    const { reprise } = await startStage([...parked, cut], {
      maxRetries: 0,
      reconnect: { firstDelayMs: 2, maxDelayMs: 20, giveUpAfterMs: 500 },
    });

    const reading = collect(
      reprise.session("ses_1").reply("Hi", { tools: { print_label: () => "x" } }),
    );

    expect(ConnectionError.isInstance(await failure(reading))).toBe(true);
  });
});

describe("a reply with onConfirm", () => {
  const asking = waiting("c1", "refund", "permission");
  const asked = [stream(START), nothing, reply("awaiting_permission", asking)];

  it("asks about each call, and goes on with the answer", async () => {
    const { reprise, requests } = await startStage([...asked, receipt, stream(END)]);
    const onConfirm = (call: PendingCall) => ({ confirmed: call.tool_call.name !== "refund" });

    const events = await collect(reprise.session("ses_1").reply("Hi", { onConfirm }));

    expect(events.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(posted(requests)).toEqual([
      {
        type: "USER_CONFIRM_RESULT",
        reply_id: "rep_1",
        metadata: { input_hashes: { c1: "sha256:c1" } },
        confirm_results: [{ confirmed: false, tool_call: { id: "c1" } }],
      },
    ]);
  });

  it("ends as waiting where it has no answer", async () => {
    const { reprise, requests } = await startStage(asked);

    const events = await collect(
      reprise.session("ses_1").reply("Hi", { onConfirm: () => undefined }),
    );

    expect([events.length, requests.length]).toEqual([1, 3]);
  });

  it("throws what it throws, and asks anew the next time", async () => {
    const { reprise } = await startStage([
      ...asked,
      nothing,
      reply("awaiting_permission", asking),
      receipt,
      stream(END),
    ]);
    let asks = 0;
    const onConfirm = () => {
      asks += 1;
      if (asks === 1) throw new RangeError("no window");
      return {};
    };
    const held = reprise.session("ses_1").reply("Hi", { onConfirm });

    expect(await failure(collect(held))).toBeInstanceOf(RangeError);
    expect((await collect(held)).map(({ seq }) => seq)).toEqual([3]);
  });
});
