// Streams of AG-UI over speech: a reader that goes on at any frame has the others, with messages as they have become.
import { expect, it } from "vitest";

import { parseStreamRequest } from "../../../durable-objects/api/stream-request.ts";
import { AG_UI_DIALECT } from "../../../durable-objects/dialects/ag-ui-stream.ts";
import { addMessages } from "../../../durable-objects/sessions/add-messages.ts";
import { findEventRange } from "../../../durable-objects/sessions/event-range.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import { eventsBetween } from "../../../durable-objects/sessions/replay-events.ts";
import type { TextPiece } from "../../../durable-objects/streams/stream-translation.ts";
import { changeMessage } from "../../../durable-objects/voice/change-message.ts";
import { createSseDecoder } from "../../../protocol/sse.ts";
import { spokenMessage } from "../../support/voice/spoken-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import { valueOf } from "../sessions/session.ts";

interface ReadFrame {
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
}

/** The rest of a stream, as the log has it now. @param after The id of a frame. */
function read(session: OpenSession, after: string): readonly ReadFrame[] {
  const request = parseStreamRequest(`https://session/stream?format=ag-ui&after=${after}`);
  const range = valueOf(findEventRange(session, request.after!.seq, null));
  const opened = valueOf(AG_UI_DIALECT.open(session, range, request));
  const { translation, prelude } = opened;
  const later = [...eventsBetween(session, opened.after, session.log.visibleSeq)];
  const pieces = [
    ...prelude,
    ...later.flatMap((event) => translation!.push(event)),
    ...translation!.flush(),
  ];
  return createSseDecoder()
    .push(pieces.map(textOf).join(""))
    .map(({ id, event, data }) => ({ id, type: event, data }));
}

function textOf(piece: TextPiece): string {
  if (typeof piece === "string") return piece;
  const decoder = new TextDecoder();
  return [...piece()]
    .map((part) => (typeof part === "string" ? part : decoder.decode(part, { stream: true })))
    .join("");
}

async function say(session: OpenSession, input: string): Promise<string> {
  const { id } = valueOf(await session.queue.start({ input, on_busy: "reject" }));
  await waitFor(() => expect(session.isRunning).toBe(false));
  await session.log.settled();
  return id;
}

function contentsOf({ data }: ReadFrame): unknown[] {
  const { messages } = JSON.parse(data) as { messages: { role: string; content?: unknown }[] };
  return messages.map(({ role, content }) => [role, content]);
}

it("a run behind a change begins with a snapshot that has it, and every frame can be gone on from", () =>
  withHeldSession({}, async ({ session }) => {
    addMessages(session, [spokenMessage("m1")]);
    const first = await say(session, "/say Your shoes are on their way.");
    const block = session.tables.messages.find(first)?.message.content[0]?.id ?? "";
    const heard = { message_id: first, block_id: block, text: "Your shoes", played_ms: 400 };
    changeMessage(session, { name: "speech_truncated", ...heard });
    changeMessage(session, {
      name: "speech_transcribed",
      message_id: "m1",
      text: "Where are my shoes?",
    });
    await say(session, "/say Thanks.");

    const frames = read(session, "0");
    const snapshots = frames.filter(({ type }) => type === "MESSAGES_SNAPSHOT");
    expect(snapshots.map(contentsOf)).toEqual([
      [
        ["user", "Where are my shoes?"],
        ["user", "/say Your shoes are on their way."],
        ["assistant", "Your shoes"],
        ["user", "/say Thanks."],
      ],
    ]);
    for (const [index, { id }] of frames.entries()) {
      expect([id, read(session, id ?? "")]).toEqual([id, frames.slice(index + 1)]);
    }
  }));
