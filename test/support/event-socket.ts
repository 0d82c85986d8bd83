// A reader of events over a WebSocket, as an app of a tenant or a browser's page has one. No code of the server's but the
// shapes of its frames.
import { inject } from "vitest";

import type { LoggedEvent } from "../../protocol/events.ts";
import { waitFor } from "./wait-for.ts";

export interface SocketFrame {
  readonly type: "event" | "error";
  readonly seq?: number;
  readonly id?: string;
  readonly event?: LoggedEvent;
  readonly code?: string;
  readonly detail?: string;
}

interface Close {
  readonly code: number;
  readonly reason: string;
}

export interface EventSocket {
  readonly frames: SocketFrame[];
  /** The subprotocol that was answered. */
  readonly protocol: () => string;
  readonly send: (text: string) => void;
  /** Texts that are no frames. */
  readonly others: string[];
  readonly closed: Promise<Close>;
  /** Resolves when the condition holds of the frames. */
  readonly until: (isThere: (frames: readonly SocketFrame[]) => boolean) => Promise<void>;
  readonly close: () => Promise<Close>;
}

interface Opening {
  readonly key?: string;
  readonly ticket?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
}

/** @param path With its query. */
export function openEventSocket(
  path: string,
  { key, ticket, headers = {}, baseUrl = inject("baseUrl") }: Opening,
): EventSocket {
  const protocols = [
    "reprise.events.v1",
    ...(ticket === undefined ? [] : [`reprise.ticket.${ticket}`]),
  ];
  const socket = new WebSocket(`${baseUrl.replace(/^http/, "ws")}${path}`, {
    protocols,
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
  });
  const frames: SocketFrame[] = [];
  const others: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const text = String(data);
    if (text.startsWith("{")) frames.push(JSON.parse(text) as SocketFrame);
    else others.push(text);
  });
  const closed = new Promise<Close>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
  });
  return {
    frames,
    others,
    closed,
    protocol: () => socket.protocol,
    send: (text) => socket.send(text),
    until: (isThere) =>
      waitFor(() => {
        if (!isThere(frames)) throw new Error(`${frames.length} frames do not have it`);
      }),
    close: () => {
      socket.close();
      return closed;
    },
  };
}

/** The events of the log's own format. */
export function eventsOf(frames: readonly SocketFrame[]): readonly (LoggedEvent | undefined)[] {
  return frames.filter(({ type }) => type === "event").map(({ event }) => event);
}

/** Whether as many replies have ended. */
export function hasEnds(count: number) {
  return (frames: readonly SocketFrame[]): boolean =>
    eventsOf(frames).filter((event) => event?.type === "REPLY_END").length >= count;
}
