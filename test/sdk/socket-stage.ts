// A platform that mints stream tickets, and does with its sockets exactly what a test says.
import { onTestFinished } from "vitest";

import { Reprise, type RepriseOptions } from "../../sdk/index.ts";
import {
  startSocketServer,
  type ServedSocket,
  type SocketScenes,
} from "../support/socket-server.ts";
import { QUICK } from "./desk.ts";

type SocketScene = (socket: ServedSocket) => void;

interface SocketStageOptions extends Partial<RepriseOptions> {
  /** In place of a ticket: a status of the ticket route, by the number of the request from 0. */
  readonly refuseTicket?: (number: number) => number | null;
  readonly refuseSocket?: SocketScenes["refuse"];
}

/** A platform that plays one scene for each socket, the last one again and again. */
export async function startSocketStage(
  scenes: readonly SocketScene[],
  { refuseTicket, refuseSocket, ...options }: SocketStageOptions = {},
) {
  /** Of requests beside the sockets. */
  const asked: string[] = [];
  const server = await startSocketServer({
    serve: (socket, number) => scenes[Math.min(number, scenes.length - 1)]?.(socket),
    refuse: refuseSocket,
    answer: ({ method, url }, response) => {
      const status = refuseTicket?.(asked.length) ?? 201;
      asked.push(`${method} ${url}`);
      const ticket = `ticket-${asked.length}`;
      const body = status === 201 ? { ticket } : { code: "unauthenticated", detail: "It is over." };
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    },
  });
  onTestFinished(() => server.stop());
  const reprise = new Reprise({
    apiKey: "rk_test_x",
    baseUrl: server.url,
    reconnect: QUICK,
    transport: "websocket",
    ...options,
  });
  return { reprise, asked, sockets: server.sockets, url: server.url };
}

/** The frame of an event. */
export function eventFrame(seq: number, type: string, more: object = {}): object {
  return { type: "event", seq, event: { type, reply_id: "rep_1", seq, created_at: "T", ...more } };
}
