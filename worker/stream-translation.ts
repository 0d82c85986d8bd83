import type { EventFormat } from "../protocol/api/event-format.ts";
import { accept, type Result } from "../protocol/errors.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import { encodeFrame } from "../protocol/sse.ts";
import { AgUiEvents, findAgUiStart, type AgUiStart } from "./ag-ui-events.ts";
import { createJavaEvents, findJavaStart } from "./java-events.ts";
import { joinAgUi, type JoinedAgUi } from "./join-ag-ui.ts";
import type { StreamPosition } from "./last-event-id.ts";
import type { SessionStub } from "./session-stub.ts";
import type { StreamTranslation } from "./translated-stream.ts";

interface TranslatedRange {
  readonly format: Exclude<EventFormat, "agentscope">;
  /** The reader's position, or a seq that the platform gives; null for a reader that has nothing and joins. */
  readonly after: StreamPosition | number | null;
  readonly reply_id?: string;
}

export async function streamTranslation(
  stub: SessionStub,
  { format, after, reply_id }: TranslatedRange,
): Promise<Result<StreamTranslation>> {
  return format === "agentscope-java"
    ? javaTranslation(stub, after ?? 0)
    : agUiTranslation(stub, after, reply_id);
}

async function javaTranslation(
  stub: SessionStub,
  position: StreamPosition | number,
): Promise<Result<StreamTranslation>> {
  const start =
    typeof position === "number"
      ? accept({ after: position, skipped: 0 })
      : await findJavaStart(stub, position);
  if (!start.ok) return start;
  const javaEvents = createJavaEvents(stub, start.value);
  return accept({
    after: start.value.after,
    prelude: "",
    translate: async (logged) =>
      (await javaEvents(logged))
        .map(({ id, event }) => encodeFrame(id, event.type, JSON.stringify(event)))
        .join(""),
    rest: async () => "",
  });
}

async function agUiTranslation(
  stub: SessionStub,
  position: StreamPosition | number | null,
  reply_id: string | undefined,
): Promise<Result<StreamTranslation>> {
  const joined = position === null ? await joinAgUi(stub, reply_id) : await goOn(stub, position);
  if (!joined.ok) return joined;
  const { after, prelude, events } = joined.value;
  const translate = (event: LoggedEvent): Promise<string> => events.push(event);
  return accept({ after, prelude, translate, rest: () => events.rest() });
}

async function goOn(
  stub: SessionStub,
  position: StreamPosition | number,
): Promise<Result<JoinedAgUi>> {
  const start: Result<AgUiStart> =
    typeof position === "number"
      ? accept({ after: position, seen: { seq: position, k: Infinity } })
      : await findAgUiStart(stub, position);
  if (!start.ok) return start;
  const { after, seen, translator } = start.value;
  return accept({ after, events: new AgUiEvents(stub, seen, translator), prelude: "" });
}
