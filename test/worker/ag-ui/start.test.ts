// Runs that begin a reply, and runs that ask for one again.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { endListing } from "../../../durable-objects/sessions/session-listing.ts";
import { Timers } from "../../../durable-objects/tables/timers.ts";
import { runMarkOf } from "../../../protocol/ag-ui/ag-ui-run.ts";
import {
  externalResult,
  KEY,
  LABEL,
  post,
  REFUND,
  rowsOf,
  withTools,
} from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  listMessages,
  objectOf,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { sessionInit } from "../sessions/session-init.ts";
import { codeOf, inputOf, run, runRows, said, shownRuns, startRun } from "./runs.ts";

const HELLO = said("m1", "/say hello");
const SLOW = "/rate 50\n/words 20000";

describe("a run with a new message", () => {
  it("begins a reply, marks its start, and is kept with the part of the log that it is", async () => {
    const init = await createdSession();
    const { reply: ended, ...started } = await run(init, "r1", { messages: [HELLO] });
    const events = await allEvents(init);
    const start = events.find(({ type }) => type === "REPLY_START");

    expect(ended.status).toBe("completed");
    expect(started).toEqual({ reply_id: ended.id, cursor: 1, is_repeated: false });
    expect(start?.metadata).toEqual({ ag_ui_run: { run_id: "r1" } });
    expect(await runRows(init)).toEqual([
      {
        run_id: "r1",
        part: 1,
        reply_id: ended.id,
        from_seq: 1,
        to_seq: events.at(-1)?.seq,
        left_messages: null,
      },
    ]);
    expect(await shownRuns(init)).toEqual([["r1", "success"]]);
  });

  it("begins it with the unknown messages alone, whatever the known ones say now", async () => {
    const init = await createdSession();
    await run(init, "r1", { messages: [HELLO] });
    const changed = said("m1", "/say something else");
    await run(init, "r2", { messages: [changed, said("m2", "/say again")] });
    const { data } = valueOf(await listMessages(init, { limit: 10 }));

    expect(data.map(({ id, role }) => [role, role === "user" ? id : null])).toEqual([
      ["user", "m1"],
      ["assistant", null],
      ["user", "m2"],
      ["assistant", null],
    ]);
    expect(data[0]?.content).toMatchObject([{ text: "/say hello" }]);
  });

  it("is the same run when it is asked for again, also by an object that starts anew", async () => {
    const init = await createdSession();
    const { reply: ended, cursor } = await run(init, "r1", { messages: [HELLO] });
    await evictDurableObject(objectOf(init));
    const changed = { messages: [said("m1", "/say other")] };
    const again = valueOf(await startRun(init, "r1", changed));
    const empty = valueOf(await startRun(init, "r1", {}));

    expect(empty).toEqual(again);
    expect(again).toEqual({ reply_id: ended.id, cursor, is_repeated: true, to_seq: ended.cursor });
    expect(await runRows(init)).toHaveLength(1);
  });

  it("is one reply when several ask for it at the same moment", async () => {
    const init = await createdSession();
    const asked = await Promise.all(
      ["r1", "r1", "r2"].map((id) => startRun(init, id, { messages: [HELLO] })),
    );
    const started = asked.map(valueOf);

    expect(new Set(started.map(({ reply_id }) => reply_id)).size).toBe(1);
    expect(started.filter(({ is_repeated }) => !is_repeated)).toHaveLength(1);
    expect(await rowsOf(init, "SELECT id FROM replies")).toHaveLength(1);
  });

  it("races with another one for the thread: one begins, the other hears of it", async () => {
    const init = await createdSession();
    const asked = await Promise.all([
      startRun(init, "r1", { messages: [said("m1", SLOW)] }),
      startRun(init, "r2", { messages: [said("m2", SLOW)] }),
    ]);

    expect(new Set(asked.map(codeOf))).toEqual(new Set([null, "reply_running"]));
    expect(await runRows(init)).toHaveLength(1);
  });

  it("is of the agent's own threads only", async () => {
    const init = await createdSession();
    const other = { agent_id: "agt_other" };

    expect(codeOf(await startRun(init, "r1", { messages: [HELLO] }, other))).toBe("agent_mismatch");
    expect(await rowsOf(init, "SELECT seq FROM events")).toEqual([]);
  });

  it("is refused while a queued reply is about to begin, and beside one that runs", async () => {
    const init = await createdSession();
    await startReply(init, SLOW);
    valueOf(await stubOf(init).act("startReply", { input: "/say queued", on_busy: "queue" }));

    expect(codeOf(await startRun(init, "r1", { messages: [HELLO] }))).toBe("reply_running");
  });

  it("names the run that it follows; one that the thread has left behind is no parent", async () => {
    const init = await createdSession();
    await run(init, "r1", { messages: [HELLO] });
    const mark = (run_id: string, parent_run_id: string) => ({ mark: { run_id, parent_run_id } });
    await run(init, "r2", { messages: [said("m2", "/say 2")] }, mark("r2", "r1"));
    const branch = { messages: [said("m3", "/say 3")] };
    const refused = await startRun(init, "r3", branch, mark("r3", "r1"));
    await run(init, "r3", branch, mark("r3", "elsewhere"));
    const starts = (await allEvents(init)).filter(({ type }) => type === "REPLY_START");

    expect(codeOf(refused)).toBe("conflict");
    expect(starts.map(runMarkOf)).toEqual([
      { run_id: "r1" },
      { run_id: "r2", parent_run_id: "r1" },
      { run_id: "r3", parent_run_id: "elsewhere" },
    ]);
  });
});

describe("a run without anything new", () => {
  it("is empty in a thread that knows nothing of it", async () => {
    const init = await createdSession();

    expect(codeOf(await startRun(init, "r1", {}))).toBe("run_empty");
    expect(codeOf(await startRun(init, "r1", { results: inputOf({}).results }))).toBe("run_empty");
  });

  it("is the reply that its last message began, under its own id from then on", async () => {
    const init = await createdSession();
    const first = await run(init, "r1", { messages: [HELLO] });
    await run(init, "r2", { messages: [HELLO, said("m2", "/say two")] });
    const retried = valueOf(await startRun(init, "r3", { messages: [HELLO] }));
    const rows = await runRows(init);

    expect(retried).toEqual({
      reply_id: first.reply_id,
      cursor: first.cursor,
      is_repeated: true,
      to_seq: first.reply.cursor,
    });
    expect(rows.map(({ run_id, from_seq }) => [run_id, from_seq])).toEqual([
      ["r1", first.cursor],
      ["r3", first.cursor],
      ["r2", expect.any(Number)],
    ]);
    expect(rows[1]?.["to_seq"]).toBe(rows[0]?.["to_seq"]);
    expect(valueOf(await startRun(init, "r3", {}))).toEqual(retried);
  });

  it("is that reply from its start while it runs, and gets its end when that is known", async () => {
    const init = await createdSession();
    const messages = [said("m1", "/rate 100\n/words 30")];
    const first = valueOf(await startRun(init, "r1", { messages }));
    const second = await run(init, "r2", { messages });
    const [one, other] = await runRows(init);

    expect(second).toMatchObject({ ...first, is_repeated: true });
    expect(second.reply.status).toBe("completed");
    expect({ ...other, run_id: "r1" }).toEqual(one);
    expect(one?.["to_seq"]).toEqual(expect.any(Number));
  });

  it("is a native reply too, which goes by its own id", async () => {
    const init = await createdSession();
    const native = await reply(init, "/say native");
    const known = valueOf(await startRun(init, native.id, {}));

    expect(known).toEqual({
      reply_id: native.id,
      cursor: 1,
      is_repeated: true,
      to_seq: native.cursor,
    });
    expect(await shownRuns(init)).toEqual([[native.id, "success"]]);
  });

  it("answers a message that was only observed, when it stands last", async () => {
    const init = await createdSession();
    valueOf(await stubOf(init).act("observe", [HELLO]));
    const { reply: ended } = await run(init, "r1", { messages: [HELLO] });

    expect(ended.message?.content).toMatchObject([{ text: "hello" }]);
    expect(await rowsOf(init, "SELECT reply_id FROM messages WHERE id = 'm1'")).toEqual([
      { reply_id: ended.id },
    ]);
  });
});

describe("a session of a client's thread", () => {
  it("says so at the start of each reply, whoever began it", async () => {
    const init = { ...(await createdSession()), thread_id: "our chat" };
    await runInDurableObject(objectOf(init), (_, { storage }) => {
      storage.sql.exec("UPDATE session SET init = ?", JSON.stringify(init));
    });
    await evictDurableObject(objectOf(init));
    await reply(init, "/say native");
    await run(init, "r1", { messages: [HELLO] });
    const starts = (await allEvents(init)).filter(({ type }) => type === "REPLY_START");

    expect(starts.map(runMarkOf)).toEqual([
      { thread_id: "our chat" },
      { thread_id: "our chat", run_id: "r1" },
    ]);
  });

  it("leaves no mark that a client writes by itself", async () => {
    const init = await createdSession();
    const { id } = await reply(init, "/call refund {}\n/say done");
    const event = { type: "USER_INTERRUPT", id: "in", created_at: "", reply_id: id } as const;
    const metadata = { ag_ui_run: { run_id: "forged" }, note: 1 };
    await startReply(init, SLOW);
    const open = valueOf(await stubOf(init).act("read")).reply_id ?? "";
    valueOf(
      await stubOf(init).act("postEvent", { ...event, reply_id: open, metadata }, { actor: KEY }),
    );
    const written = (await allEvents(init)).find(({ type }) => type === "USER_INTERRUPT");

    expect(written?.metadata).toEqual({ note: 1, decided_by: { kind: "api_key", id: KEY.id } });
  });
});

describe("a result", () => {
  it("passes for no message of a client's own, whoever gives it but a run", () =>
    withTools(
      async () => {
        const tools = [{ ...REFUND, read_only: true }, LABEL];
        const init = await createdSession({ tools });
        const parked = await reply(init, "/call refund {}\n/call label {}\n/say done");
        const [call] = parked.pending;
        if (!call) throw new Error("nothing waits");
        const given = externalResult(parked.id, call, "printed");
        if (given.type !== "EXTERNAL_EXECUTION_RESULT") throw new Error("no result");
        const execution_results = given.execution_results.map((result) => {
          return { ...result, metadata: FORGED };
        });
        valueOf(await post(init, { ...given, execution_results }));
        const { message } = await readReply(init, parked.id, 60_000);
        const accepted = (await allEvents(init)).find(({ type }) => type === given.type);

        const results = message?.content.filter(({ type }) => type === "tool_result");
        expect(results?.map((block) => "metadata" in block && block.metadata)).toEqual([
          { note: 1 },
          { note: 1 },
        ]);
        expect(JSON.stringify(accepted)).not.toContain("ag_ui_message_id");
      },
      async () => Response.json({ output: "made", metadata: FORGED }),
    ));
});

const FORGED = { ag_ui_message_id: "m1", note: 1 };

describe("a fork", () => {
  it("begins with a run that names the one it branches from, once", async () => {
    const source = await createdSession();
    await run(source, "r1", { messages: [HELLO] });
    await reply(source, "/say native");
    const stub = stubOf(source);
    const [first, last] = [
      valueOf(await stub.act("readForkSource", "m1")),
      await stub.act("readForkSource"),
    ];
    const native = valueOf(await stub.act("listReplies", { limit: 1 })).data[0];

    expect(first.run_id).toBeUndefined();
    expect(valueOf(last).run_id).toBe(native?.id);
    const replies = valueOf(await stub.act("listReplies", { limit: 2 })).data;
    const answered = valueOf(await stub.act("readForkSource", replies[1]?.id));
    expect(answered.run_id).toBe("r1");

    const init = await forkOf(source, answered);
    await run(init, "f1", { messages: [said("m3", "/say fork")] });
    await run(init, "f2", { messages: [said("m4", "/say on")] });
    const starts = (await allEvents(init)).filter(({ type }) => type === "REPLY_START");
    expect(starts.map(runMarkOf)).toEqual([
      { parent_run_id: "r1", run_id: "f1" },
      { run_id: "f2" },
    ]);
    expect(valueOf(await stubOf(init).act("readForkSource", "m3")).run_id).toBe("r1");
  });
});

async function forkOf(
  source: Awaited<ReturnType<typeof createdSession>>,
  { message_id, cursor, run_id }: { message_id: string | null; cursor: number; run_id?: string },
) {
  const fresh = sessionInit();
  const init = {
    ...source,
    session_id: fresh.session_id,
    parent_run_id: run_id,
    forked_from: { session_id: source.session_id, message_id, cursor },
  };
  const fork = { init, rules: [], ability_states: [], actor: KEY };
  valueOf(await stubOf(init).createFork(fork));
  await runInDurableObject(objectOf(init), (_, state) => endListing(new Timers(state.storage)));
  return init;
}
