// A reader of events over a WebSocket, through the Worker's front door.
import type { LoggedEvent } from "../../../protocol/events.ts";
import { waitFor } from "../../support/wait-for.ts";
import { send, type Call } from "./api.ts";

interface Frame {
  readonly type: "event" | "error";
  readonly seq?: number;
  readonly id?: string;
  readonly event?: LoggedEvent;
  readonly code?: string;
}

export interface EventSocket {
  readonly frames: Frame[];
  /** The events' seqs, in the order in which they came. */
  readonly seqs: () => readonly (number | undefined)[];
  readonly closed: Promise<readonly [code: number, reason: string]>;
  readonly send: (text: string) => void;
  /** Leaves, as a client does whose page is closed. */
  readonly leave: () => void;
  readonly until: (isThere: (frames: readonly Frame[]) => boolean) => Promise<void>;
}

const PROTOCOL = "reprise.events.v1";

/** @param path With its query. */
export async function openSocket(
  path: string,
  call: Call = {},
  ticket?: string,
): Promise<EventSocket> {
  const protocols = ticket === undefined ? PROTOCOL : `${PROTOCOL}, reprise.ticket.${ticket}`;
  const upgrade = { Upgrade: "websocket", "Sec-WebSocket-Protocol": protocols };
  const response = await send("GET", path, { ...call, headers: { ...call.headers, ...upgrade } });
  const { status, webSocket, headers } = response;
  if (!webSocket) throw new Error(`no socket but ${status}: ${await response.text()}`);
  if (headers.get("Sec-WebSocket-Protocol") !== PROTOCOL) throw new Error("another subprotocol");
  const frames: Frame[] = [];
  const closed = new Promise<readonly [number, string]>((resolve) => {
    webSocket.addEventListener("close", ({ code, reason }) => resolve([code, reason]));
  });
  webSocket.addEventListener("message", ({ data }) => {
    frames.push(JSON.parse(String(data)) as Frame);
  });
  webSocket.accept();
  return {
    frames,
    closed,
    seqs: () => frames.filter(({ type }) => type === "event").map(({ seq }) => seq),
    send: (text) => webSocket.send(text),
    leave: () => webSocket.close(1000, "left"),
    until: (isThere) =>
      waitFor(() => {
        if (!isThere(frames)) throw new Error(`${frames.length} frames do not have it`);
      }),
  };
}

/** Whether as many replies have ended. */
export function hasEnds(count: number) {
  return (frames: readonly Frame[]): boolean =>
    frames.filter(({ event }) => event?.type === "REPLY_END").length >= count;
}
