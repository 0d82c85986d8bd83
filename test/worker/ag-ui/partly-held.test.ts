// Runs that are asked for again by a client that has some of them: what it holds decides how it is shown the rest.
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { toAgUiMessages } from "../../../protocol/dialects/ag-ui/wire/messages.ts";
import { REFUND, withTools } from "../confirmations/parked.ts";
import { createdSession, objectOf, valueOf } from "../sessions/session.ts";
import { answerTo, run, said, startRun } from "./runs.ts";

describe("a run that is asked for again", () => {
  it("is partly held by a transcript that has any message of it", async () => {
    const init = await createdSession();
    const messages = [said("m1", "/think Hm.\n/say One.\n/call nowhere {}\n/say Two.")];
    const { reply } = await run(init, "r1", { messages });
    const shown = reply.message ? toAgUiMessages(reply.message).map(({ id }) => id) : [];
    const heldWith = async (ids: readonly string[], runId = "r1") => {
      const again = { messages, message_ids: ["m1", ...ids] };
      return valueOf(await startRun(init, runId, again)).is_partly_held ?? false;
    };
    const first = valueOf(await startRun(init, "r1", { messages }));
    const held = [];
    for (const id of shown) held.push(await heldWith([id]));
    await evictDurableObject(objectOf(init));

    expect(first).toEqual({
      reply_id: reply.id,
      cursor: 1,
      is_repeated: true,
      to_seq: expect.any(Number),
    });
    expect(held).toEqual([true, true, true, true]);
    expect([await heldWith(shown, "r2"), await heldWith(["m0", reply.id])]).toEqual([true, false]);
  });

  it("is not held by what came before it in its reply", () =>
    withTools(async () => {
      const init = await createdSession({ tools: [REFUND] });
      const { reply } = await run(init, "r1", {
        messages: [said("m1", "/say Look.\n/call refund {}\n/say Done.")],
      });
      const [call] = reply.pending;
      const callId = call?.tool_call.id ?? "";
      const seen = reply.message ? toAgUiMessages(reply.message).map(({ id }) => id) : [];
      const resume = [answerTo(reply.id, callId, { approved: true })];
      const begun = await run(init, "r2", { resume, message_ids: ["m1", ...seen] });
      const heldWith = async (ids: readonly string[]) =>
        valueOf(await startRun(init, "r3", { resume, message_ids: ["m1", ...seen, ...ids] }));

      expect(await heldWith([])).toEqual({
        reply_id: reply.id,
        cursor: begun.cursor,
        is_repeated: true,
        to_seq: begun.reply.cursor,
      });
      expect(await heldWith([`${reply.id}:${callId}`])).toMatchObject({ is_partly_held: true });
    }));

  it("is not held by what came after it", async () => {
    const init = await createdSession();
    await run(init, "r1", { messages: [said("m1", "/say One.")] });
    const { reply } = await run(init, "r2", { messages: [said("m2", "/say Two.")] });
    const later = reply.message?.content[0]?.id ?? "";
    const again = await startRun(init, "r1", { message_ids: ["m1", "m2", later] });

    expect(later).not.toBe("");
    expect(valueOf(again).is_partly_held).toBeUndefined();
  });
});
