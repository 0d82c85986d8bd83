/** @module-tag broad */
// Runs whose machine dies at any of their writes: the client repeats its request, and all is as if nothing had happened.
import { afterAll, beforeAll, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { RunInput } from "../../../protocol/dialects/ag-ui/input/run-input.ts";
import {
  abortObject,
  endWatch,
  installFailpoints,
  stopDeltaClock,
  watchWrites,
  type WritePoint,
} from "../crash/failpoint.ts";
import { LABEL, REFUND, withTools } from "../confirmations/parked.ts";
import { allEvents, createdSession, objectOf, readReply } from "../sessions/session.ts";
import { answerTo, PRINT, resultOf, run, runRows, said } from "./runs.ts";

const AGENT = { tools: [REFUND, LABEL].map((tool) => ({ ...tool, concurrency_safe: true })) };
const BOTH = "/call refund {}\n/call label {}\n/say done";
const NEXT = said("m2", "/say next");

const restore: (() => void)[] = [];
beforeAll(async () => {
  restore.push(await installFailpoints(objectOf(await createdSession())), stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

interface Prepared {
  readonly init: SessionInit;
  readonly input: Partial<RunInput>;
  /** The run's id; one that the thread does not know when left out. */
  readonly runId?: string;
}

type Prepare = () => Promise<Prepared>;

async function newThread(): Promise<Prepared> {
  const init = await createdSession();
  return { init, input: { messages: [said("m1", "/say hello")], state: { page: 1 } } };
}

async function openInterrupts(): Promise<Prepared> {
  const init = await createdSession(AGENT);
  const { reply } = await run(init, "r1", { messages: [said("m1", BOTH)] });
  const [refund = "", label = ""] = reply.pending.map(({ tool_call }) => tool_call.id);
  const resume = [answerTo(reply.id, refund, { approved: true })];
  return { init, input: { resume, results: [resultOf(label, "printed")] } };
}

async function clientCalls(): Promise<Prepared> {
  const init = await createdSession();
  const script = "/call print {}\n/call print {}\n/say done";
  const { reply } = await run(init, "r1", { messages: [said("m1", script)], tools: [PRINT] });
  const [first = ""] = reply.pending.map(({ tool_call }) => tool_call.id);
  return { init, input: { messages: [NEXT], results: [resultOf(first, "printed")] } };
}

/** The same under the id of the run that waits: what is brought begins its next part. */
function asPart(prepare: Prepare): Prepare {
  return async () => ({ ...(await prepare()), runId: "r1" });
}

async function laterMessage(): Promise<Prepared> {
  const init = await createdSession();
  const messages = [said("m1", "/say hello")];
  await run(init, "r1", { messages });
  return { init, input: { messages: [...messages, NEXT] }, runId: "r1" };
}

/** Events that tell of an act: those that a repeated model call adds to the log are recovery's. */
const ACTS = ["REPLY_START", "USER_CONFIRM_RESULT", "EXTERNAL_EXECUTION_RESULT", "REPLY_END"];
const CHANGES = ["message_added", "shared_state_updated"];

/** Acts on the thread, each once and in its order, the end of its reply, and its runs. */
async function outcome(init: SessionInit, replyId: string): Promise<unknown> {
  const reply = await readReply(init, replyId, 60_000);
  const acts = (await allEvents(init)).flatMap((event) => {
    if (event.type === "CUSTOM") return CHANGES.includes(event.name) ? [event.name] : [];
    return ACTS.includes(event.type) ? [event.type] : [];
  });
  const content = reply.message?.content.filter(({ type }) => type !== "hint") ?? [];
  const runs = await runRows(init);
  return [
    reply.status,
    content.map(({ type }) => type),
    acts,
    runs.map(({ run_id, part, to_seq }) => [run_id, part, to_seq !== null]),
  ];
}

async function writesOf(prepare: Prepare): Promise<[number, unknown]> {
  const { init, input, runId = "r2" } = await prepare();
  const watch = watchWrites(init.session_id, null);
  const { reply_id } = await run(init, runId, input);
  endWatch(init.session_id);
  return [watch.writes.length, await outcome(init, reply_id)];
}

async function dyingAt(prepare: Prepare, point: WritePoint): Promise<unknown> {
  const { init, input, runId = "r2" } = await prepare();
  const watch = watchWrites(init.session_id, point);
  void run(init, runId, input).catch(() => undefined);
  await watch.reached();
  await abortObject(objectOf(init));
  endWatch(init.session_id);
  const { reply_id } = await run(init, runId, input);
  return outcome(init, reply_id);
}

it.each([
  ["begins a thread with a state", newThread],
  ["answers interrupts of both kinds", openInterrupts],
  ["gives up the client's own calls for a message", clientCalls],
  ["answers interrupts under the id of the run that asked", asPart(openInterrupts)],
  ["gives up calls under the id of the run that made them", asPart(clientCalls)],
  ["brings a message under the id of the run before", laterMessage],
] as const)("a run that %s is the same run after a death at any of its writes", (_, prepare) =>
  withTools(async () => {
    const [writes, whole] = await writesOf(prepare);
    const points = Array.from({ length: writes }, (_unused, index) => index + 1);
    for (const write of points) {
      for (const side of ["before", "after"] as const) {
        const after = await dyingAt(prepare, { write, side });
        expect([write, side, after]).toEqual([write, side, whole]);
      }
    }
  }),
);
