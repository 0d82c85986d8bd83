// Shared parts of the tests of the object: a created session, and its stream read to the end.
import { readUrl, type ReadRequest } from "../../../durable-objects/api/read-request.ts";
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import type { SessionObject } from "../../../durable-objects/session-object.ts";
import type { EventsRequest, PageRequest } from "../../../durable-objects/api/page-requests.ts";
import {
  REFUSAL_HEADER,
  sessionObjectName,
  STREAM_URL,
} from "../../../durable-objects/api/session-api.ts";
import type { ActsApi } from "../../../durable-objects/acts/acts-api.ts";
import type { SessionApi, SessionInit } from "../../../durable-objects/api/session-api.ts";
import { endListing } from "../../../durable-objects/sessions/session-listing.ts";
import { Timers } from "../../../durable-objects/tables/timers.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import type { Result } from "../../../protocol/errors.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { createSseDecoder } from "../../../protocol/sse.ts";
import type { MessagePage, StoredMessage } from "../../../protocol/sessions/contract.ts";
import { sessionInit } from "./session-init.ts";

/** The object itself, for a look into its storage. A fresh stub each time: one that saw its object die stays broken. */
export function objectOf(init: SessionInit): DurableObjectStub<SessionObject> {
  return env.SESSION.getByName(sessionObjectName(init.tenant_id, init.session_id));
}

export type SessionStub = SessionApi & ActsApi & { fetch(url: string): Promise<Response> };

/** The object as routes see it: the runtime's own type of a stub replaces every open record by `never`. */
export function stubOf(init: SessionInit): SessionStub {
  return objectOf(init) as unknown as SessionStub;
}

export async function createdSession(agent: object = {}): Promise<SessionInit> {
  const init = sessionInit(agent);
  valueOf(await stubOf(init).create(init));
  // No row of D1 stands behind it, so nobody may look for one.
  await runInDurableObject(objectOf(init), (_, state) => endListing(new Timers(state.storage)));
  return init;
}

export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.refusal.code}: ${result.refusal.detail}`);
  return result.value;
}

export async function startReply(init: SessionInit, input: string): Promise<Reply> {
  return valueOf(await stubOf(init).act("startReply", { input, on_busy: "reject" }));
}

/** Starts a reply and waits for its rest. */
export async function reply(init: SessionInit, input: string): Promise<Reply> {
  const { id } = await startReply(init, input);
  return readReply(init, id, 60_000);
}

export async function readReply(init: SessionInit, id: string, waitMs = 0): Promise<Reply> {
  return valueOf(await stubOf(init).act("readReply", { reply_id: id, wait_ms: waitMs }));
}

/** The object's answer to a request for something of any size. */
async function readJson<Value>(init: SessionInit, request: ReadRequest): Promise<Result<Value>> {
  const response = await stubOf(init).fetch(readUrl(request));
  if (response.headers.has(REFUSAL_HEADER)) return { ok: false, refusal: await response.json() };
  return { ok: true, value: await response.json() };
}

export function listMessages(init: SessionInit, request: PageRequest) {
  return readJson<MessagePage>(init, { what: "messages", ...request });
}

export function readMessage(init: SessionInit, id: string) {
  return readJson<StoredMessage>(init, { what: "message", id });
}

export function listEvents(init: SessionInit, request: EventsRequest) {
  return readJson<Page<LoggedEvent> & { readonly cursor: number }>(init, {
    what: "events",
    ...request,
  });
}

export function listReplies(init: SessionInit, request: PageRequest) {
  return stubOf(init).act("listReplies", request);
}

export function readState(init: SessionInit) {
  return readJson<AgentState>(init, { what: "state" });
}

export function openStream(init: SessionInit, query: string): Promise<Response> {
  return stubOf(init).fetch(`${STREAM_URL}?${query}`);
}

/** The events of a stream until it ends, or until `until` is true for one. */
export async function readEvents(
  response: Response,
  until: (event: LoggedEvent) => boolean = () => false,
): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  const decoder = createSseDecoder();
  const reader = (response.body ?? new ReadableStream())
    .pipeThrough(new TextDecoderStream())
    .getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return events;
    for (const frame of decoder.push(value)) {
      const event = JSON.parse(frame.data) as LoggedEvent;
      events.push(event);
      if (until(event)) {
        await reader.cancel();
        return events;
      }
    }
  }
}

/** Every event of the session that is visible now. */
export async function allEvents(init: SessionInit): Promise<LoggedEvent[]> {
  return readEvents(await openStream(init, "after=0"));
}
