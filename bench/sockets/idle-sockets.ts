// Sockets of many sessions that wait: readers of events, and a voice connection of each session over which nobody speaks.
import { setTimeout as sleep } from "node:timers/promises";

import { openPlainSocket, type PlainSocket } from "../clients/plain-socket.ts";
import type { Reprise } from "../peers/reprise.ts";
import { EVENTS_PROTOCOL, REALTIME_PROTOCOL } from "../../protocol/voice/sockets.ts";
import { readString } from "../../scripts/local-api.ts";

export interface IdleSockets {
  /** Opens the sockets of so many further sessions. */
  openMore(count: number): Promise<void>;
  /** Makes one reply of each session. */
  tellAll(): Promise<void>;
  /** Sockets that were lost, or were not told of the reply's end. */
  unheard(): number;
  close(): void;
}

interface Load {
  readonly sessions: number;
  readonly sockets: number;
}

/** Sockets that are opened at once. */
const AT_ONCE = 16;
/** Milliseconds in which all sockets of a session have to be told. */
const TELL_MS = 10_000;
const LOOK_MS = 20;
const VOICE = { mode: "realtime", model: { provider: "scripted" } };
const START = { type: "start", input: { rate: 24_000 }, output: { rate: 24_000 } };

interface Idle {
  socket: PlainSocket | null;
  isTold: boolean;
  lost: string | null;
}

export async function openIdleSockets(
  reprise: Reprise,
  { sessions, sockets }: Load,
): Promise<IdleSockets> {
  const { baseUrl, tenant } = reprise;
  const agent_id = await reprise.createAgent({ model: { provider: "scripted" }, voice: VOICE });
  const ids: string[] = [];
  for (let count = 0; count < sessions; count += 1) {
    ids.push(readString(await tenant.api.call("POST", "/v1/sessions", { agent_id }), "id"));
  }
  const idle = new Map<string, readonly Idle[]>();
  const all = (): readonly Idle[] => [...idle.values()].flat();
  return {
    async openMore(count) {
      for (const id of ids.slice(idle.size, idle.size + count)) {
        const opened: Idle[] = [];
        for (let from = 0; from < sockets; from += AT_ONCE) {
          const size = Math.min(AT_ONCE, sockets - from);
          const numbers = Array.from({ length: size }, (_, index) => from + index);
          opened.push(...(await Promise.all(numbers.map((number) => open(id, number === 0)))));
        }
        idle.set(id, opened);
      }
    },
    async tellAll() {
      for (const [id, opened] of idle) {
        const answer = await tenant.api.call("POST", `/v1/sessions/${id}/replies`, {
          input: "/say Hello.",
        });
        if (answer.status >= 300) throw new Error(`a session took no reply: ${answer.status}`);
        const endsAtMs = performance.now() + TELL_MS;
        while (!opened.every(({ isTold }) => isTold) && performance.now() < endsAtMs) {
          await sleep(LOOK_MS);
        }
      }
    },
    unheard: () => all().filter(({ isTold, lost }) => !isTold || lost !== null).length,
    close: () => all().forEach(({ socket }) => socket?.close()),
  };

  async function open(id: string, isVoice: boolean): Promise<Idle> {
    const one: Idle = { socket: null, isTold: false, lost: null };
    const started = Promise.withResolvers<void>();
    const path = isVoice ? "realtime" : "events?follow=session";
    one.socket = await openPlainSocket({
      url: `${baseUrl}/v1/sessions/${id}/${path}`,
      protocol: isVoice ? REALTIME_PROTOCOL : EVENTS_PROTOCOL,
      headers: { authorization: `Bearer ${tenant.key}` },
      onMessage(data, isText) {
        if (isText && data.includes('"type":"started"')) started.resolve();
        if (isText && data.includes('"REPLY_END"')) one.isTold = true;
      },
      onLost(reason) {
        one.lost = reason;
        started.reject(new Error(reason));
      },
    });
    if (isVoice) one.socket.send(JSON.stringify(START));
    else started.resolve();
    await started.promise;
    return one;
  }
}
