/** @module-tag broad */
// A caller, or the agent that it has called, dies before and after each durable write while it is told what that does: each
// event is in its log once and in order, its question too, and the answer reaches it.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { copiedEvent } from "../../../agent/agents/copied-event.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { SessionObject } from "../../../durable-objects/session-object.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import {
  callHelper,
  childOf,
  openAgentDesk,
  readReply,
  resultTexts,
  WAITING,
  type AgentDesk,
} from "../agents/agent-desk.ts";
import {
  endsIn,
  eventsOf,
  giveResultBelow,
  merged,
  questionsIn,
  toldOf,
} from "../agents/told-events.ts";
import { hearLog } from "../../support/hear-log.ts";
import { pauseMs } from "../sessions/held-session.ts";
import { ask } from "../support/api.ts";
import {
  abortObject,
  endWatch,
  installFailpoints,
  watchWrites,
  type WritePoint,
  type WriteWatch,
} from "./failpoint.ts";

const restore: (() => void)[] = [];
beforeAll(async () => {
  restore.push(await installFailpoints(env.SESSION.getByName("failpoints")));
});
afterAll(() => restore.forEach((undo) => undo()));

const SCRIPT = "/think Hm.\n/say Looking.\n/call refund {}\n/say Refunded.";
const INPUT = `${callHelper(SCRIPT)}\n/say Thanks.`;
const LOOK_MS = 50;
/** Machines that die side by side. */
const BESIDE = 6;
let aborted: Promise<void> = Promise.resolve();

/** The words of those who had asked a machine that has died. */
const OF_DEATHS: ReadonlySet<unknown> = new Set([
  "an answer could not be handed to a called agent",
  "a called agent could not be looked at; will retry",
  "the caller of an agent was not told; it will look",
  "events of a called agent could not be copied; will retry",
  "the answer of a called agent could not be read; will retry",
  "timer handler failed; will retry",
]);

/** The session that dies: the caller's, or that of the agent. */
type Mortal = "caller" | "agent";

interface Run {
  readonly desk: AgentDesk;
  readonly reply: Reply;
  readonly childId: string;
  readonly watch: WriteWatch;
}

function objectOf({ tenantId }: AgentDesk, id: string): DurableObjectStub<SessionObject> {
  return env.SESSION.getByName(sessionObjectName(tenantId, id));
}

/** Begins the reply, answers what its agent asks in the caller's session, and lets one of both die at the point. */
async function runWith(mortal: Mortal, point: WritePoint | null): Promise<Run> {
  const desk = await openAgentDesk({ helper: { tools: [WAITING] } });
  const { call, session } = desk;
  const path = `/v1/sessions/${session.id}/replies`;
  let watch = mortal === "caller" ? watchWrites(session.id, point) : null;
  // A machine that stops answers nobody.
  void ask("POST", path, { ...call, json: { input: INPUT, background: true } }).catch(
    () => undefined,
  );
  if (!watch) {
    const { id } = await childOf(desk);
    watch = watchWrites(id, point);
  }
  const mortalId = () => (mortal === "caller" ? Promise.resolve(session.id) : idOfChild(desk));
  let isDead = false;
  for (;;) {
    if (watch.isReached && point && !isDead) {
      await watch.reached();
      const id = await mortalId();
      // One after the other: the runtime does not bear several at the same moment.
      aborted = aborted.then(() => abortObject(objectOf(desk, id)));
      await aborted;
      endWatch(id);
      isDead = true;
    }
    const isOut = watch.isReached && !isDead && point !== null;
    if (!isOut) {
      const reply = await step(desk).catch(() => null);
      if (reply) {
        endWatch(await mortalId());
        return { desk, reply, childId: await idOfChild(desk), watch };
      }
    }
    await pauseMs(LOOK_MS);
  }
}

async function idOfChild(desk: AgentDesk): Promise<string> {
  return (await childOf(desk)).id;
}

/** Does what a client may do next. A request that a machine does not answer is left. @returns The reply that has ended. */
async function step(desk: AgentDesk): Promise<Reply | null> {
  const { call, session } = desk;
  const path = `/v1/sessions/${session.id}/replies`;
  const within = <Value>(work: Promise<Value>) =>
    Promise.race([work, pauseMs(2_000).then(() => Promise.reject(new Error("no answer")))]);
  const { json } = await within(ask<{ data: Reply[] }>("GET", path, call));
  const [reply] = json.data;
  if (!reply) {
    void ask("POST", path, { ...call, json: { input: INPUT, background: true } }).catch(() => {});
    return null;
  }
  if (reply.status !== "running") return reply;
  const [agent] = reply.subagents ?? [];
  const [asked] = agent?.pending ?? [];
  if (asked) await within(giveResultBelow(call, session.id, asked));
  // Its timer does the same some seconds later.
  else if (agent) {
    const note = { tool_call_id: agent.tool_call_id } as never;
    await within(objectOf(desk, session.id).act("noteCalled", note) as Promise<unknown>);
  }
  return null;
}

async function verify({ desk: { call, session }, reply, childId }: Run): Promise<void> {
  const [above, own] = await Promise.all([session.id, childId].map((id) => eventsOf(call, id)));
  const results = new Map<string, number>();
  const copies = own!.flatMap((event) => copiedEvent(event, results) ?? []);
  const called = above!.findIndex(
    (event) => event.type === "CUSTOM" && event.name === "subagent_call" && !event.value["waits"],
  );
  const lastTold = above!.findLastIndex(
    (event) => event.type === "CUSTOM" && event.name === "subagent_event",
  );

  expect(resultTexts(await readReply(call, session.id, reply.id))).toEqual([
    ["success", "Refunded."],
  ]);
  expect(merged(toldOf(above!, childId))).toEqual(merged(copies));
  expect([questionsIn(above!).length, endsIn(above!).length]).toEqual([1, 1]);
  expect(lastTold).toBeLessThan(called);
}

describe.each(["caller", "agent"] as const)("the session of the %s", (mortal) => {
  test("dies at each write, and each event is told once and in order", async () => {
    const log = hearLog();
    const whole = await runWith(mortal, null);
    await verify(whole);
    const names = [...new Set(whole.watch.writes)].filter((name) => !name.startsWith("delete "));
    const points = names.flatMap((write): WritePoint[] => [
      { write, side: "before" },
      { write, side: "after" },
    ]);
    const failures: string[] = [];
    let reached = 0;
    for (let next = 0; next < points.length; next += BESIDE) {
      await Promise.all(
        points.slice(next, next + BESIDE).map(async (point) => {
          const run = await runWith(mortal, point);
          if (run.watch.isReached) reached += 1;
          await verify(run).catch((error: unknown) =>
            failures.push(`${point.side} ${point.write}: ${String(error)}`),
          );
        }),
      );
    }

    expect(failures).toEqual([]);
    // A request to a machine that has died is an object with its stack.
    const others = log.filter((words) => typeof words === "string" && !OF_DEATHS.has(words));
    expect(others).toEqual([]);
    // Events meet in batches as fast as the machine is: some points are not come by.
    expect(reached).toBeGreaterThan(points.length / 2);
  });
});
