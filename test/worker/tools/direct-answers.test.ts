// The result of a tool as the answer, where it is as large as a result may be.
import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { MAX_TOOL_MAX_BYTES } from "../../../protocol/tools/limits.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { LOOK, withTools } from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  readMessage,
  readReply,
  reply,
  valueOf,
} from "../sessions/session.ts";

const TEXT = "größer ".repeat(MAX_TOOL_MAX_BYTES / 16);

function textsOf({ content }: Msg): string[] {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}

it(
  "an answer of megabytes is one commit, whole in the log and after the machine is lost",
  BROAD,
  () =>
    withTools(
      async (calls) => {
        const direct = { ...LOOK, return_direct: true, max_bytes: MAX_TOOL_MAX_BYTES };
        const init = await createdSession({ tools: [direct] });
        const { id, status } = await reply(init, "/call look {}\n/say no");
        await abortAllDurableObjects();

        expect([status, (await readReply(init, id)).status]).toEqual(["completed", "completed"]);
        const stored = valueOf(await readMessage(init, id)).message;
        const events = (await allEvents(init)).filter(
          (event) => "reply_id" in event && event.reply_id === id,
        );
        const [text = ""] = textsOf(stored);
        const folded = foldEvents(events);
        expect([calls.length, textsOf(stored).length, text.length]).toEqual([1, 1, TEXT.length]);
        expect(text === TEXT).toBe(true);
        expect(folded !== null && textsOf(folded)[0] === TEXT).toBe(true);
      },
      async () => new Response(TEXT, { headers: { "content-type": "text/plain" } }),
    ),
);
