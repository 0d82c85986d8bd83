// A reader that joins in the middle of whatever a run can have open: what it gets is what the others have.
import { describe, expect, it } from "vitest";

import type { AgentEvent } from "../../../protocol/events.ts";
import { LOOK, withTools } from "../confirmations/parked.ts";
import {
  createdSession,
  openStream,
  readEvents,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import {
  endsOf,
  framesIn,
  idsOf,
  readFrames,
  readUntil,
  typesOf,
  type Frame,
} from "../streams/translated.ts";

const LONG = "a parcel left the harbour before dawn ".repeat(2_000);

interface OpenLane {
  /** A reply that stays in it until it is interrupted. */
  readonly input: string;
  readonly until: AgentEvent["type"];
  /** Frames that a joining reader is told before those that follow. */
  readonly prelude: readonly string[];
  /** The events that carry the lane's text. */
  readonly delta?: string;
}

const LANES: Readonly<Record<string, OpenLane>> = {
  "a model call that says nothing yet": {
    input: "/wait 86400000\n/say never",
    until: "MODEL_CALL_START",
    prelude: ["STEP_STARTED"],
  },
  "a thought": {
    input: `/rate 50\n/think ${LONG}`,
    until: "THINKING_BLOCK_DELTA",
    prelude: ["STEP_STARTED", "REASONING_START", "REASONING_MESSAGE_START"],
    delta: "REASONING_MESSAGE_CONTENT",
  },
  "a text": {
    input: "/rate 50\n/words 20000",
    until: "TEXT_BLOCK_DELTA",
    prelude: ["STEP_STARTED", "TEXT_MESSAGE_START"],
    delta: "TEXT_MESSAGE_CONTENT",
  },
  "a call's arguments": {
    input: `/rate 50\n/call look ${JSON.stringify({ text: LONG })}`,
    until: "TOOL_CALL_DELTA",
    prelude: ["STEP_STARTED", "TOOL_CALL_START"],
    delta: "TOOL_CALL_ARGS",
  },
  "a tool's work": {
    input: "/call look {}",
    until: "TOOL_RESULT_START",
    prelude: [],
  },
};

describe("a reader of AG-UI that joins in the middle of", () => {
  it.each(Object.entries(LANES))("%s has what the others have", (_name, lane) =>
    withTools(
      async () => {
        const init = await createdSession({ tools: [LOOK] });
        await reply(init, "/say Before.");
        const { id, cursor } = await startReply(init, lane.input);
        const native = await openStream(init, `after=${cursor}&reply_id=${id}`);
        await readEvents(native, ({ type }) => type === lane.until);
        const joined = await openStream(init, "format=ag-ui");
        // Something comes behind the prelude.
        const { delta } = lane;
        if (delta) await readUntil(joined.clone(), (seen) => typesOf(seen).includes(delta));
        await stubOf(init).act("interrupt", {});
        const frames = framesIn(await joined.text());
        const whole = await readFrames(init, "after=0&format=ag-ui");

        const first = frames[0]?.id ?? "";
        const prelude = frames.slice(0, idsOf(frames).lastIndexOf(first) + 1);
        expect(typesOf(prelude)).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT", ...lane.prelude]);
        expect(frames.slice(prelude.length)).toEqual(
          whole.slice(idsOf(whole).lastIndexOf(first) + 1),
        );
        expect(openText(prelude) + deltasOf(frames, lane.delta)).toBe(
          deltasOf(whole.slice(typesOf(whole).lastIndexOf("RUN_STARTED")), lane.delta),
        );
      },
      // A tool that never answers.
      () => new Promise(() => undefined),
    ),
  );

  it("a conversation has all of its messages, also those that came after the last reply", async () => {
    const init = await createdSession();
    await reply(init, "/say One.");
    valueOf(await stubOf(init).act("observe", "Two."));
    const [, snapshot] = await readFrames(init, "format=ag-ui");

    expect(messagesIn(snapshot).map(({ content }) => content)).toEqual([
      "/say One.",
      "One.",
      "Two.",
    ]);
  });

  it("a conversation without a reply has its messages, and then what comes", async () => {
    const init = await createdSession();
    expect((await openStream(init, "format=ag-ui")).status).toBe(204);
    valueOf(await stubOf(init).act("observe", "One."));
    const joined = await readFrames(init, "format=ag-ui");
    const cursor = joined.at(-1)?.id;
    const followed = await openStream(init, "format=ag-ui&follow=session");
    const read = readUntil(followed, (seen) => endsOf(seen) === 2);
    expect((await openStream(init, `after=${cursor}&format=ag-ui`)).status).toBe(204);
    const { id } = await reply(init, "/say Two.");
    const frames = await read;
    const whole = await readFrames(init, "after=0&format=ag-ui");

    expect(typesOf(joined)).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
    expect(messagesIn(joined[1]).map(({ content }) => content)).toEqual(["One."]);
    expect(frames.slice(0, 3)).toEqual(joined);
    expect(frames[3]?.event).toMatchObject({ type: "RUN_STARTED", runId: id });
    expect(frames.slice(4)).toEqual(whole.slice(1));
    expect(await readFrames(init, `after=${cursor}&format=ag-ui`)).toEqual(frames.slice(3));
  });

  it("changes of the shared state has the state as it is, and then the changes", async () => {
    const init = await createdSession();
    const patch = async (path: string) =>
      valueOf(
        await stubOf(init).act("patchSharedState", { patch: [{ op: "add", path, value: 1 }] }),
      );
    await patch("/before");
    const { id, cursor } = await startReply(init, "/rate 50\n/words 20000");
    const native = await openStream(init, `after=${cursor}&reply_id=${id}`);
    await readEvents(native, ({ type }) => type === "TEXT_BLOCK_DELTA");
    await patch("/meanwhile");
    const joined = await openStream(init, "format=ag-ui");
    await patch("/after");
    await stubOf(init).act("interrupt", {});
    const frames = framesIn(await joined.text());
    const whole = await readFrames(init, "after=0&format=ag-ui");
    const states = (some: readonly Frame[]) =>
      some.flatMap(({ event: { type, snapshot, delta } }) =>
        type.startsWith("STATE_") ? [snapshot ?? delta] : [],
      );
    const added = (path: string) => [{ op: "add", path, value: 1 }];

    expect(states(frames)).toEqual([{ before: 1, meanwhile: 1 }, added("/after")]);
    expect(states(whole)).toEqual([{ before: 1 }, added("/meanwhile"), added("/after")]);
    for (const [index, frame] of whole.entries()) {
      const rest = await readFrames(init, `after=${frame.id}&format=ag-ui`);
      expect(rest).toEqual(whole.slice(index + 1));
    }
  });

  it("a queue sees the reply that runs", async () => {
    const init = await createdSession();
    const { id } = await startReply(init, "/rate 50\n/words 20000");
    const next = { input: "/say Next.", on_busy: "queue" } as const;
    const queued = valueOf(await stubOf(init).act("startReply", next));
    const joined = await openStream(init, "format=ag-ui");
    await stubOf(init).act("interrupt", { queued: "drop" });
    const frames = framesIn(await joined.text());
    const runs = (await readFrames(init, "after=0&format=ag-ui")).filter(
      ({ event }) => event.type === "RUN_STARTED",
    );

    expect(frames[0]?.event).toMatchObject({ type: "RUN_STARTED", runId: id });
    expect(runs.map(({ event }) => event["runId"])).toEqual([id, queued.id]);
    expect(frames.slice(1).filter(({ event }) => event.type === "RUN_STARTED")).toEqual([runs[1]]);
  });
});

describe("a reader of AG-UI of a reply that waits its turn", () => {
  it.each(["", "after=1&"])(
    "is told all that was said for it, with the cursor %o",
    async (after) => {
      const init = await createdSession();
      await startReply(init, "/rate 50\n/words 20000");
      const next = { input: "/say Next.", on_busy: "queue" } as const;
      const { id } = valueOf(await stubOf(init).act("startReply", next));
      const waiting = await openStream(init, `${after}reply_id=${id}&format=ag-ui`);
      await stubOf(init).act("interrupt", {});
      const frames = framesIn(await waiting.text());
      const whole = await readFrames(init, "after=0&format=ag-ui");

      expect(frames[0]?.event).toMatchObject({
        type: "RUN_STARTED",
        input: { messages: [{ content: "/say Next." }] },
      });
      expect(frames).toEqual(whole.slice(typesOf(whole).lastIndexOf("RUN_STARTED")));
    },
  );
});

/** The text that a snapshot has of the open message: the last one's text, or its call's arguments. */
function openText(prelude: readonly Frame[]): string {
  if (prelude.length < 4) return "";
  const snapshot = prelude.find(({ event }) => event.type === "MESSAGES_SNAPSHOT");
  const last = messagesIn(snapshot).at(-1);
  return last?.toolCalls?.[0]?.function.arguments ?? last?.content ?? "";
}

interface ShownMessage {
  readonly content?: string;
  readonly toolCalls?: readonly { readonly function: { readonly arguments: string } }[];
}

function messagesIn(snapshot: Frame | undefined): readonly ShownMessage[] {
  return (snapshot?.event["messages"] ?? []) as readonly ShownMessage[];
}

function deltasOf(frames: readonly Frame[], type: string | undefined): string {
  return frames
    .filter(({ event }) => event.type === type)
    .map(({ event }) => String(event["delta"]))
    .join("");
}
