// Messages in the forms of other dialects, out of the object: very large ones, and ones that cannot be read.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";

import {
  messageRequest,
  messagesRequest,
  readUrl,
} from "../../../durable-objects/api/read-request.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { MessageTable } from "../../../durable-objects/tables/message-table.ts";
import { MAX_SHOWN_MESSAGE_BYTES } from "../../../protocol/requests/limits.ts";
import { createdSession, objectOf, reply, stubOf } from "./session.ts";

const FORMS = ["agentscope-1", "agentscope-java"] as const;
type Shown = { readonly id: string; readonly content: unknown[]; readonly metadata: object };

async function read<Body>(init: SessionInit, url: string): Promise<Body> {
  return (await stubOf(init).fetch(url)).json<Body>();
}

describe.each(FORMS)("%s", (format) => {
  it("shows a message that is too large for a list without its content, also by itself", async () => {
    const init = await createdSession();
    const { id, message } = await reply(init, "/say one");
    await runInDurableObject(objectOf(init), (_, { storage }) => {
      const table = new MessageTable(storage.sql);
      const content = [{ ...message!.content[0]!, text: "x".repeat(MAX_SHOWN_MESSAGE_BYTES + 1) }];
      const large = { ...message!, content } as typeof message & object;
      table.put({ ...table.findPlace(id)!, reply_id: id, message: large });
    });

    const page = messagesRequest({ limit: 10, format });
    const { data } = await read<{ data: Shown[] }>(init, readUrl(page));
    const one = await read<{ message: Shown }>(init, readUrl(messageRequest(id, format)));

    const omitted = { bytes: expect.any(Number) };
    expect(data[1]).toMatchObject({ id, content: [], metadata: { omitted } });
    expect(one.message).toEqual(data[1]);
  });

  it("leaves out messages that are damaged, and goes on after them", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const init = await createdSession();
    const first = await reply(init, "/say one");
    const second = await reply(init, "/say two");
    await runInDurableObject(objectOf(init), (_, { storage }) => {
      storage.sql.exec(
        "UPDATE messages SET body = ? WHERE reply_id = ? AND id <> ?",
        "{}",
        first.id,
        first.id,
      );
      // With parts, it is not looked at before it is shown.
      storage.sql.exec("UPDATE messages SET body = ?, parts = 1 WHERE id = ?", "{", first.id);
      storage.sql.exec(
        `INSERT INTO parts (owner, key, part, bytes)
         SELECT 'message', position, 1, ? FROM messages WHERE id = ?`,
        new TextEncoder().encode("{"),
        first.id,
      );
    });

    const page = messagesRequest({ limit: 10, format });
    const { data } = await read<{ data: Shown[] }>(init, readUrl(page));

    const ids = data.map(({ id }) => id);
    expect([ids.length, ids.includes(first.id), ids.at(-1)]).toEqual([2, false, second.id]);
  });
});

it("a form that this version does not know is refused", async () => {
  const init = await createdSession();
  const request = { what: "messages-of-tomorrow", limit: 10, format: "agentscope-1" };
  const url = `https://session/read?request=${encodeURIComponent(JSON.stringify(request))}`;

  expect(await read(init, url)).toMatchObject({ code: "validation_failed" });
});
