// Begins a reply and gets its stream in one call of the session's object.
import type {
  ActOptions,
  ActPayload,
  StartAct,
  StartRequest,
} from "../../durable-objects/acts/acts-api.ts";
import { REFUSAL_HEADER } from "../../durable-objects/api/session-api.ts";
import {
  REFUSED_START,
  START_URL,
  STARTED_HEADER,
  type RefusedStart,
  type StreamedStart,
} from "../../durable-objects/api/start-request.ts";
import { accept, type Refusal, type Result } from "../../protocol/errors.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { AppContext } from "../app-env.ts";
import { streamOf, streamQuery, type StreamQuery } from "./event-stream.ts";
import type { SessionStub } from "../objects/session-stub.ts";

type Range = Omit<StreamQuery, "after" | "reply_id">;

interface Start<Name extends StartAct> {
  readonly act: Name;
  readonly payload: ActPayload<Name>;
  readonly options: ActOptions;
  readonly range: Range;
}

export type StartedStream =
  | RefusedStart
  | (StreamedStart & {
      readonly ok: true;
      /** The stream with these headers. */
      readonly stream: (headers: Readonly<Record<string, string>>) => Promise<Result<Response>>;
    });

/** Whether a request may be one call: its reader has nothing yet. */
export function startsInOneCall(context: AppContext): boolean {
  return !context.req.header("Last-Event-ID");
}

/** @returns Null when the object is of the version before: nothing has begun, and two calls do it. */
export async function startStream<Name extends StartAct>(
  stub: SessionStub,
  { act, payload, options, range }: Start<Name>,
): Promise<StartedStream | null> {
  const query = streamQuery(range).toString();
  // Writing a large body is a slice, and so is sending it, which copies it.
  if (options.isLarge) await timeSlice();
  const body = JSON.stringify({ act, payload, options, query } satisfies StartRequest<Name>);
  if (options.isLarge) await timeSlice();
  const response = await stub.fetch(START_URL, { method: "POST", body });
  const started = response.headers.get(STARTED_HEADER);
  if (started === REFUSED_START) return response.json<RefusedStart>();
  if (started === null) {
    await response.body?.cancel();
    return null;
  }
  return {
    ...(JSON.parse(started) as StreamedStart),
    ok: true,
    stream: async (headers) =>
      response.headers.has(REFUSAL_HEADER)
        ? { ok: false, refusal: await response.json<Refusal>() }
        : accept(streamOf(response, headers)),
  };
}
